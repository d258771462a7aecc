"""What a report says, as plain data: what ``--json`` prints and what the page and the Markdown are made of."""

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A part of the report."""

    model_config = ConfigDict(frozen=True)


class Number(Part):
    """A number with its 95 % interval and the games (or shots) that it rests on; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int


class Told(Part):
    """A game worth looking at: ``why`` is typical or extreme, ``value`` its value of the ``measure``."""

    why: str
    measure: str
    value: float
    cell: int
    replication: int
    command: str


class Source(Part):
    """Where a figure comes from: a question, the command that repeats it, and games that show it."""

    question: str
    command: str
    games: tuple[Told, ...] = ()


class Pairing(Part):
    """Two policies against each other: one cell, at the base point where factors are swept.

    ``payoff`` is P(blue wins) + P(draw) / 2 with Wilson's interval, which is a little too wide where there are draws.
    """

    cell: int
    red: str
    blue: str
    games: int
    failed: int
    blue_wins: int
    red_wins: int
    draws: int
    payoff: Number


class Weight(Part):
    """How often an optimal mixture plays a policy, from 0 to 1."""

    policy: str
    weight: float


class Best(Part):
    """The best policy of blue against one of red: ``how_sure`` is the share of resamples in which it was the best."""

    red: str
    blue: str
    payoff: Number
    how_sure: float


class Balance(Part):
    """Who is better off: payoffs over all pairings alike, the value of the game or the best against each difficulty.

    ``featured`` is the cell whose games the scenario's other figures show.
    """

    source: Source
    featured: int
    uniform: Number
    value: Number | None
    blue_mixture: tuple[Weight, ...]
    red_mixture: tuple[Weight, ...]
    best: tuple[Best, ...]
    pairings: tuple[Pairing, ...]
    remark: str


class Outcome(Part):
    """How often games of the base point end in one way, over all pairings alike."""

    outcome: str
    share: Number
    count: int


class Point(Part):
    """A measure after one turn: the mean with its interval, and quantiles over the games."""

    turn: int
    mean: Number
    p05: float | None
    median: float | None
    p95: float | None


class Course(Part):
    """How a measure of one side went, turn by turn. ``of`` is its greatest possible value, if it has one."""

    measure: str
    side: str
    of: int | None
    points: tuple[Point, ...]


class Courses(Part):
    """Measures by turn of the featured pairing, with their source."""

    source: Source
    courses: tuple[Course, ...]


class Holding(Part):
    """How probably blue holds a place after a turn; ``nobody`` is the share of games in which no side does."""

    place: str
    turn: int
    blue: Number
    nobody: float = 0.0


class Holders(Part):
    """Who holds each place, at some turns of the featured pairing."""

    source: Source
    turns: tuple[int, ...]
    places: tuple[str, ...]
    holdings: tuple[Holding, ...]


class Objective(Part):
    """What became of an objective."""

    objective: str
    first_holder: str | None
    at_end: Number
    taken: Number
    median_first: float | None
    median_last: float | None


class Objectives(Part):
    """What became of the objectives, with the source."""

    source: Source
    objectives: tuple[Objective, ...]


class Shots(Part):
    """Shots at armour of one kind."""

    side: str
    kind: str
    weapon: str | None
    shooter: str | None
    target: str | None
    facing: str | None
    range: str | None
    shots: int
    damaging: int
    kills: int
    rate: Number


class Armour(Part):
    """How often shots at armour kill, the most frequent kinds first; ``left_out`` more kinds are not shown."""

    source: Source
    cell: int
    pairing: str
    rows: tuple[Shots, ...]
    left_out: int
    left_out_shots: int


class Exchange(Part):
    """Losses of the enemy for one of its own."""

    cell: int
    pairing: str
    side: str
    loss: str
    enemy_lost: int
    own_lost: int
    ratio: Number


class Exchanges(Part):
    """Loss exchange ratios of all pairings, with the source."""

    source: Source
    rows: tuple[Exchange, ...]


class Effect(Part):
    """What another level of a factor changes, all else equal: ``how`` it was found is paired, within replications and
    over all ``contexts`` alike, or by regression over as many design points, from the least value to the greatest.

    ``p`` is corrected by Holm's method over all effects of the scenario, ``reduction`` the share of the variance of the
    payoff's difference that common dice took away. ``standard`` is the standardised regression coefficient: the change
    of the payoff in its standard deviations when the factor moves by one of its own.
    """

    factor: str
    base: str
    level: str
    how: str
    contexts: int
    payoff: Number
    margin: Number
    p: float | None
    reduction: float | None
    standard: float | None


class Interaction(Part):
    """What other levels of two factors change together beyond what each changes alone; the rest is as in `Effect`."""

    factors: tuple[str, str]
    levels: tuple[str, str]
    how: str
    contexts: int
    payoff: Number
    p: float | None


class Index(Part):
    """Sobol's indices of a factor: the share of the payoff's variance between design points that it makes by itself,
    and that it has any part in.
    """

    factor: str
    first: Number
    total: Number


class Effects(Part):
    """Effects of the factors of a scenario, the strongest first. ``readings`` are those of options of the rules.

    Of the ``interactions_tested`` the strongest are shown. ``explained`` is the share of the variance that what is
    behind the ``indices`` tells of design points left out.
    """

    source: Source
    readings: tuple[Effect, ...]
    others: tuple[Effect, ...]
    interactions: tuple[Interaction, ...]
    interactions_tested: int
    indices: tuple[Index, ...]
    explained: float | None
    remark: str


class Scenario(Part):
    """All about a scenario of an experiment. What was not played or not recorded is None."""

    name: str
    title: str
    rulebook: str
    sides: dict[str, str]
    turns: dict[int, str]
    cells: int
    games: int
    base: dict[str, str]
    balance: Balance | None
    outcomes: tuple[Outcome, ...]
    outcomes_source: Source | None
    casualties: Courses | None
    exchanges: Exchanges | None
    armour: Armour | None
    territory: Courses | None
    holders: Holders | None
    objectives: Objectives | None
    effects: Effects | None


class Rating(Part):
    """Elo points of a policy, or of a scenario's blue side."""

    name: str
    points: Number


class Ratings(Part):
    """Elo of the policies of a rulebook, on average 0, and the advantage of blue in each scenario."""

    rulebook: str
    source: Source
    policies: tuple[Rating, ...]
    advantages: tuple[Rating, ...]


class Failure(Part):
    """A way in which games failed, and where first."""

    fault: str
    games: int
    scenario: str
    cell: int
    replication: int
    command: str


class Experiment(Part):
    """An experiment: provenance, how complete it is, its scenarios, ratings and failures.

    ``enough`` says of one to which rounds of games are added how many cells have enough, and what equal numbers for
    all would have taken.
    """

    key: str
    name: str
    label: str
    folder: str
    created: str
    seed: int
    version: str
    code: str
    rulebooks: dict[str, str]
    libraries: dict[str, str]
    record: str
    sample: str
    games: int
    planned: int
    failed: int
    complete: bool
    enough: str
    source: Source
    scenarios: tuple[Scenario, ...]
    ratings: tuple[Ratings, ...]
    failures: tuple[Failure, ...]
    failures_source: Source | None


class Report(Part):
    """A report on an archive. ``notes`` say what is not complete, failed or was left out."""

    archive: str
    notes: tuple[str, ...]
    experiments: tuple[Experiment, ...]
