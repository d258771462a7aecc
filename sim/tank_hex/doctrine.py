"""The doctrine that every policy but `random` shares: theirs begins with it.

Worth is counted in tanks: what the loss of an enemy tank is worth, or an own one costs.
"""

from functools import partial

from sim.game import DoctrineField, with_defaults

COMMON = (
    DoctrineField("fires_at", 0.15, "least chance to destroy a target with which it declares fire", "", 0, 1),
    DoctrineField("reacts_at", 0.25, "least chance with which it gives opportunity fire", "", 0, 1),
    DoctrineField("snaps_at", 0.2, "least chance with which a tank fires before the end of its move", "", 0, 1),
    DoctrineField("sure", 0.75, "chance to destroy a target at which it names no more shooters", "", 0, 1),
    DoctrineField("most_shooters", 3, "most shooters in a declaration", "vehicle", 1, 16, whole=True),
    DoctrineField("disarmed", 0.5, "what a target counts that can't fire, beside one that can", "", 0, 10),
    DoctrineField("gain", 0.1, "least gain for which a tank moves", "vehicle", 0, 100),
    DoctrineField("target", 0.5, "worth of being able to destroy a target for sure", "vehicle", 0, 100),
    DoctrineField("danger", 0.5, "cost of a hex where enemies can destroy it for sure", "vehicle", 0, 100),
    DoctrineField("reaction", 1, "cost of being destroyed for sure on the way", "vehicle", 0, 100),
    DoctrineField("exchange", 1, "worth of a tank won in close combat", "vehicle", 0, 100),
    DoctrineField("hold", 3, "worth of taking the objective that it goes for", "vehicle", 0, 100),
    DoctrineField("way", 0.05, "cost of each MP to the objective that it goes for", "vehicle/MP", 0, 100),
    DoctrineField("late", 0.1, "what it costs more at the end of the game unless the side leads", "vehicle/MP", 0, 100),
    DoctrineField("shelter", 0.1, "worth of woods or built-up ground", "vehicle", -100, 100),
    DoctrineField("exposed", 0.05, "cost of each 100 hexes within 20 that see a hex", "vehicle", -100, 100),
    DoctrineField("height", 0.05, "worth of each grade", "vehicle", -100, 100),
)
(
    FIRES_AT,
    REACTS_AT,
    SNAPS_AT,
    SURE,
    MOST_SHOOTERS,
    DISARMED,
    GAIN,
    TARGET,
    DANGER,
    REACTION,
    EXCHANGE,
    HOLD,
    WAY,
    LATE,
    SHELTER,
    EXPOSED,
    HEIGHT,
) = range(len(COMMON))
OWN = len(COMMON)
"""Place in a doctrine of the first of a policy's own fields."""

common_doctrine = partial(with_defaults, COMMON)
"""`COMMON` with other defaults."""
