"""The doctrine that every policy but `random` shares: theirs begins with it."""

from functools import partial

from sim.game import DoctrineField, with_defaults

COMMON = (
    DoctrineField("least_chance", 0.3, "chance of making a difference below which a unit does not fire", "", 0, 1),
    DoctrineField("reserve", 2, "ammunition kept for targets within a third of the range", "issue", 0, 99),
    DoctrineField("pace", 0.3, "ammunition kept for each turn to come by a unit that suppresses", "issue", 0, 99),
    DoctrineField("armour", 8, "what a vehicle hit counts beside a man, as a target", "man", 0, 1000),
    DoctrineField("ground", 3, "what a target in an objective counts beside one elsewhere", "", 0, 100),
    DoctrineField("barrage", 6, "men that a barrage must promise to hit", "man", 0, 1000),
    DoctrineField("garrison", 6, "units for an objective where no enemy is seen", "unit", 0, 400, whole=True),
    DoctrineField("force", 20, "units for an objective where enemies are seen", "unit", 0, 400, whole=True),
    DoctrineField(
        "contest", 1, "whether a side that holds most objectives goes for the others, too", "", 0, 1, whole=True
    ),
)
LEAST_CHANCE, RESERVE, PACE, ARMOUR, GROUND, BARRAGE, GARRISON, FORCE, CONTEST = range(len(COMMON))
OWN = len(COMMON)
"""Place in a doctrine of the first of a policy's own fields."""

common_doctrine = partial(with_defaults, COMMON)
"""`COMMON` with other defaults."""
