"""hold: stays where it is and fires at the nearest enemy.

Idea: the zero against which every other policy is measured.
"""

from sim.first_contact.policy import face_the_nearest, fire_at_the_nearest, no_barrage, plain_fire, stay
from sim.game import Policy

POLICY = Policy(
    "hold",
    None,
    "stays in its positions and fires at the nearest enemy",
    (no_barrage, stay, face_the_nearest, fire_at_the_nearest, plain_fire),
)
