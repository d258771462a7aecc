"""What dice are rolled for: part of a die's address.

Rollers are sides and tanks (`rules.game.roller`), for COMBAT_FIRST the hex. SHOT and SHELL: one block a shot of the
shooter or a shell on the target: both dice, then the armour die. GUNS_FIRE: one block a gun: arrival, drift, direction,
distance.
"""

from sim.fields import numbered

FIRE_FIRST, MOVE_FIRST, COMBAT_FIRST, SHOT, DRAW, GUNS_FIRE, SHELL = numbered(7)
