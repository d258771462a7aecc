"""Experiment files: what to play, as TOML. `cluster/README.md` explains every key."""

import os
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from cluster import library
from cluster.design import Design, Factor
from cluster.until import MOST_REPLICATIONS, Until
from sim.game import RECORD_LEVELS
from sim.rules_file import BadInput, Name, Strict, check, one_of, parse_toml, read_text

MOST_COST = 1_000_000
"""Cost of a policy: with more a game would take weeks."""

Level = Literal["games", "turns", "units", "events"]


class Sample(Strict):
    """One game in ``every`` is recorded at a higher level than the rest: those whose replication it divides."""

    level: Level
    every: int = Field(ge=1, le=MOST_REPLICATIONS)


class NamedPolicy(Strict):
    """A policy with a doctrine, under a name of the experiment's own; ``cost`` corrects the policy's own."""

    policy: str
    doctrine: dict[str, float | bool] = {}
    cost: float | None = Field(default=None, gt=0, le=MOST_COST)


class Play(Strict):
    """What is played: every scenario with every pairing at every design point."""

    scenarios: list[str] = Field(min_length=1)
    red: list[str] = Field(min_length=1)
    blue: list[str] = Field(min_length=1)
    factors: dict[str, Factor] = {}
    design: Design = Design()


class Night(Strict):
    """What `duosuan nightly` makes of an experiment; it has no part in what is played.

    ``dice``: whether each night rolls new ones or all the same; ``baseline``: label of a night that each is compared
    with, besides the one before; ``tolerance`` of a measure of `queries.drift`, and the p-value below which a
    difference counts; ``verify``: how many of its games are played again.
    """

    dice: Literal["new", "same"] = "new"
    baseline: str = ""
    tolerance: dict[str, Annotated[float, Field(ge=0)]] = {}
    significant: float = Field(default=0.05, gt=0, lt=1)
    verify: int = Field(default=100, ge=0, le=MOST_REPLICATIONS)


class Experiment(Strict):
    """An experiment file."""

    name: Name
    seed: int = Field(ge=0, lt=2**64)
    replications: int = Field(ge=1, le=MOST_REPLICATIONS)
    until: Until | None = None
    record: Level = "events"
    sample: Sample | None = None
    label: str = Field(default="", pattern=r"^[A-Za-z0-9 ._:+-]{0,60}$")
    common_random_numbers: bool = True
    policies: dict[Name, NamedPolicy] = {}
    night: Night = Night()
    play: list[Play] = Field(min_length=1)

    @model_validator(mode="after")
    def _rounds_follow(self) -> "Experiment":
        if self.until and self.until.at_most < self.replications:
            raise ValueError(f"until.at_most: {self.until.at_most} is less than replications = {self.replications}")
        return self

    @model_validator(mode="after")
    def _sample_records_more(self) -> "Experiment":
        if self.sample and RECORD_LEVELS.index(self.sample.level) <= RECORD_LEVELS.index(self.record):
            raise ValueError(f'sample.level: "{self.sample.level}" is no more than record = "{self.record}"')
        return self


class Source(NamedTuple):
    """An experiment as it was given: the checked model, the file's text and where it lies."""

    experiment: Experiment
    text: str
    path: Path


def read(text: str) -> Source:
    """The experiment in a file, or the built-in one of that name. Raises `BadInput` for whatever is wrong."""
    path = Path(text)
    if not path.suffix and not os.path.exists(path):
        built_in = sorted((library.configs() / "experiments").glob("*.toml"))
        known = {found.stem: found for found in built_in}
        if text not in known:
            raise BadInput(f"there is no such file and no built-in experiment {text!r}: use {one_of(known, text)}")
        path = known[text]
    given = read_text(path)
    return Source(check(Experiment, parse_toml(given, path), path), given, path)
