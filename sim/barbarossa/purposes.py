"""What dice are rolled for: part of a die's address.

The roller of AXIS_ATTACK is the region attacked, of SOVIET_ATTACK_NUMBER 0, of the others the number of the attack in
its turn. The 2nd and later dice of SOVIET_TARGET are for 5s.
"""

from sim.fields import numbered

AXIS_ATTACK, SOVIET_ATTACK_NUMBER, SOVIET_TARGET, SOVIET_TIE, SOVIET_RESULT = numbered(5)
