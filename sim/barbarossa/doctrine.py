"""The doctrine that most Axis policies share: theirs begins with it."""

from functools import partial

from sim.game import DoctrineField, with_defaults

COMMON = (
    DoctrineField("stand", 4, "units from which a stack loses one rather than its ground", "unit", 1, 99, whole=True),
    DoctrineField("last_stand", 4, "turns before the end in which every stack does so", "turn", 0, 99, whole=True),
    DoctrineField("least_chance", 0.6, "chance of taking a region below which it is not attacked", "", 0, 1),
    DoctrineField("loss", 0.5, "what the risk of losing a unit counts", "region", 0, 100),
    DoctrineField("offence", 0.5, "what regions to be taken count where units are moved", "", 0, 100),
    DoctrineField("defence", 1.5, "what threatened regions count where units are moved", "", 0, 100),
)
STAND, LAST_STAND, LEAST_CHANCE, LOSS, OFFENCE, DEFENCE = range(len(COMMON))
OWN = len(COMMON)
"""Place in a doctrine of the first of a policy's own fields."""

common_doctrine = partial(with_defaults, COMMON)
"""`COMMON` with other defaults."""
