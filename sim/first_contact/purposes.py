"""What dice are rolled for: part of a die's address.

The roller (see `turn.roller`) of FIRST_MOVER is 0, of SHELLS and SCATTER the side that called, of CASUALTIES the squad
fired at or, with the option `casualty_roll = shot`, the unit that fires, of the others the unit that moves, fires, runs
or strikes.
"""

from sim.fields import numbered

(
    FIRST_MOVER,
    SHELLS,
    SCATTER,
    MOVEMENT,
    FIRE_ROLL,
    ARMOUR,
    CASUALTIES,
    ROUT_ROLL,
    ROUT_MOVEMENT,
    BLOW,
) = numbered(10)
