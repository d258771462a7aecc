"""Until when an experiment adds games: the key `until` of its file. `cluster/README.md` explains it."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sim.rules_file import Strict

Measure = Literal[
    "win_rate", "payoff", "margin", "blue_territory", "red_men_lost", "blue_men_lost", "red_armour_lost",
    "blue_armour_lost",
]  # fmt: skip
"""What is measured of a game, see `cluster.rounds`."""
SHARES = ("win_rate", "payoff")
"""Measures from 0 to 1."""

MOST_REPLICATIONS = 2**31 - 1  # the archive's column `replication` has 32 bits

GOALS = ("half_width", "test", "pairs", "best")
"""What may be asked for."""

LEAST = 1e-9
"""No share, risk or width is smaller: what is reckoned with it stays finite."""
Chance = Annotated[float, Field(ge=LEAST, le=1 - LEAST)]
Risk = Annotated[float, Field(ge=LEAST, lt=0.5)]
Strength = Annotated[float, Field(ge=-200, le=200)]


class ShareTest(Strict):
    """A sequential test: is the share ``p0`` or less, or ``p1`` or more?

    ``alpha`` is how often "more" is said though it is ``p0``, ``beta`` how often "less" though it is ``p1``: of each
    cell, or with ``over_all`` of any of them.
    """

    p0: Chance
    p1: Chance
    alpha: Risk = 0.05
    beta: Risk = 0.05
    over_all: bool = False

    @model_validator(mode="after")
    def _is_a_question(self) -> "ShareTest":
        if not self.p0 < self.p1:
            raise ValueError(f"p0 = {self.p0} is not below p1 = {self.p1}")
        return self


class PairTest(Strict):
    """A sequential test of each two policies that meet with sides changed: is the first weaker or stronger than the
    second, ``elo0`` or ``elo1`` points of normalised Elo? The rest is as in `ShareTest`.
    """

    elo0: Strength
    elo1: Strength
    alpha: Risk = 0.05
    beta: Risk = 0.05
    over_all: bool = False

    @model_validator(mode="after")
    def _is_a_question(self) -> "PairTest":
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 = {self.elo0:g} is not below elo1 = {self.elo1:g}")
        return self


class Best(Strict):
    """The best policy of a side in each situation: at most ``within`` worse than another with probability ``sure``."""

    side: Literal["blue", "red"]
    within: Chance = 0.02
    sure: Chance = 0.95


class Until(Strict):
    """When games are enough: after the first ``replications`` of each cell games are added in rounds.

    One of: the ``half_width`` of each cell's interval, a ``test`` of each cell, of ``pairs`` of cells, or the ``best``
    policy. No cell gets more than ``at_most`` games, and all together not more than ``budget``.
    """

    measure: Measure = "payoff"
    half_width: float | None = Field(default=None, ge=LEAST)
    test: ShareTest | None = None
    pairs: PairTest | None = None
    best: Best | None = None
    at_most: int = Field(default=MOST_REPLICATIONS, ge=1, le=MOST_REPLICATIONS)
    budget: int | None = Field(default=None, ge=1, lt=2**63)

    @model_validator(mode="after")
    def _asks_one_thing(self) -> "Until":
        given = [goal for goal in GOALS if getattr(self, goal) is not None]
        if len(given) != 1:
            raise ValueError(f"needs just one of {', '.join(GOALS)}")
        if not self.model_fields_set & {"at_most", "budget"}:
            raise ValueError("needs at_most (games of a cell) or budget (games in all)")
        if given[0] in ("test", "best") and self.measure not in SHARES:
            raise ValueError(f"measure: {given[0]} takes a share: {' or '.join(SHARES)}")
        if given[0] == "pairs" and self.measure != "payoff":
            raise ValueError("measure: pairs are compared by payoff")
        return self

    @property
    def goal(self) -> str:
        """What it asks for, one of `GOALS`."""
        return next(goal for goal in GOALS if getattr(self, goal) is not None)
