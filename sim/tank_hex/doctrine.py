"""What every policy of Tank Hex but `random` weighs with: the fields with which its doctrine begins."""

from sim.game import DoctrineField

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
) = range(17)
OWN = 17
"""Place in a doctrine of the first of a policy's own fields."""


def common_doctrine(
    *,
    fires_at: float = 0.15,
    reacts_at: float = 0.25,
    snaps_at: float = 0.2,
    sure: float = 0.75,
    most_shooters: float = 3,
    disarmed: float = 0.5,
    gain: float = 0.1,
    target: float = 0.5,
    danger: float = 0.5,
    reaction: float = 1,
    exchange: float = 1,
    hold: float = 3,
    way: float = 0.05,
    late: float = 0.1,
    shelter: float = 0.1,
    exposed: float = 0.05,
    height: float = 0.05,
) -> tuple[DoctrineField, ...]:
    """What every policy but `random` weighs fire, moves and hexes with; a doctrine begins with it.

    Worth is counted in tanks: what the loss of an enemy tank is worth, or an own one costs.
    """
    return (
        DoctrineField("fires_at", fires_at, "least chance to destroy a target with which it declares fire", "", 0, 1),
        DoctrineField("reacts_at", reacts_at, "least chance with which it gives opportunity fire", "", 0, 1),
        DoctrineField(
            "snaps_at", snaps_at, "least chance with which a tank fires before the end of its move", "", 0, 1
        ),
        DoctrineField("sure", sure, "chance to destroy a target at which it names no more shooters", "", 0, 1),
        DoctrineField("most_shooters", most_shooters, "most shooters in a declaration", "vehicle", 1, 16, whole=True),
        DoctrineField("disarmed", disarmed, "what a target counts that can't fire, beside one that can", "", 0, 10),
        DoctrineField("gain", gain, "least gain for which a tank moves", "vehicle", 0, 100),
        DoctrineField("target", target, "worth of being able to destroy a target for sure", "vehicle", 0, 100),
        DoctrineField("danger", danger, "cost of a hex where enemies can destroy it for sure", "vehicle", 0, 100),
        DoctrineField("reaction", reaction, "cost of being destroyed for sure on the way", "vehicle", 0, 100),
        DoctrineField("exchange", exchange, "worth of a tank won in close combat", "vehicle", 0, 100),
        DoctrineField("hold", hold, "worth of taking the objective that it goes for", "vehicle", 0, 100),
        DoctrineField("way", way, "cost of each MP to the objective that it goes for", "vehicle/MP", 0, 100),
        DoctrineField(
            "late", late, "what it costs more at the end of the game unless the side leads", "vehicle/MP", 0, 100
        ),
        DoctrineField("shelter", shelter, "worth of woods or built-up ground", "vehicle", -100, 100),
        DoctrineField("exposed", exposed, "cost of each 100 hexes within 20 that see a hex", "vehicle", -100, 100),
        DoctrineField("height", height, "worth of each grade", "vehicle", -100, 100),
    )
