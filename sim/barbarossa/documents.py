"""What a rules file, a map and a scenario of Barbarossa Solitaire must look like."""

import re
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from sim.barbarossa.state import NATIONS, OUTCOMES
from sim.rules_file import Entry, Name, Option, Strict, Whole, one_of

NationName = Literal["german", "rumanian", "hungarian", "italian"]
TurnName = Annotated[str, Field(pattern=r"^[WSA]\d\d$")]
Pips = Annotated[int, Field(ge=1, le=6)]
Count = Annotated[int, Field(ge=0, le=100)]


class Calendar(Strict):
    """Turns of the game (BB-1.1)."""

    turns: Entry[list[TurnName]]

    @field_validator("turns")
    @classmethod
    def _in_order(cls, turns: Entry[list[str]]) -> Entry[list[str]]:
        order = [(int(turn[1:]), "WSA".index(turn[0])) for turn in turns.value]
        if order != sorted(set(order)):
            raise ValueError(f"turns must be in order, winter, summer, autumn: {turns.value}")
        return turns


AttackRow = Annotated[list[Literal["L", "XL", "X"]], Field(min_length=4, max_length=4)]


class Attack(Strict):
    """Axis attacks (BB-3.2)."""

    d3: Entry[Pips]
    table: Entry[Annotated[list[AttackRow], Field(min_length=4, max_length=4)]]
    modifier_german: Entry[dict[str, Whole]]
    modifier_other: Entry[dict[str, Whole]]


class Reinforcements(Strict):
    """When units come and come back (BB-4.1)."""

    returns_after: Entry[Annotated[int, Field(ge=1, le=100)]]
    never_return: Entry[list[NationName]]
    each_turn: Entry[Count]
    unlimited_turn: Entry[TurnName]


class Nations(Strict):
    """Where nations are at home and when they leave the game (BB-4.2, BB-4.3)."""

    homes: Entry[dict[NationName, list[str]]]
    leaves_with: Entry[dict[NationName, str]]
    leaves_in: Entry[dict[NationName, TurnName]]


DIE = re.compile(r"^D([236])([+-]\d)?$")


class SovietAttacks(Strict):
    """Number of Soviet attacks by difficulty and turn, and what variants change (BB-5.1)."""

    difficult: Entry[list[Count]]
    medium: Entry[list[Count]]
    easy: Entry[list[Count]]
    no_purge: Entry[list[Count]]
    random: Entry[list[Annotated[str, Field(pattern=DIE.pattern)]]]
    d2: Entry[Pips]
    japanese_attack: Entry[list[Whole]]
    no_lend_lease: Entry[list[Whole]]
    early_counterattack: Entry[list[Whole]]


TargetNames = Annotated[list[str], Field(min_length=2, max_length=2)]


class SovietTargets(Strict):
    """What the target die means (BB-5.2)."""

    die: Entry[Annotated[list[TargetNames | Literal["five", "weak_point"]], Field(min_length=6, max_length=6)]]

    @field_validator("die")
    @classmethod
    def _ends(cls, die: Entry[list[list[str] | str]]) -> Entry[list[list[str] | str]]:
        # Two attacks for every 5 must die out.
        if die.value.count("five") > 2:
            raise ValueError('more than two faces are "five"')
        return die


SovietResult = Literal["nothing", "retreat_or_loss", "loss"]


class SovietResults(Strict):
    """Results of Soviet attacks (BB-5.4)."""

    d3: Entry[Annotated[int, Field(ge=2, le=6)]]  # the table has three rows
    table: Entry[Annotated[list[SovietResult], Field(min_length=3, max_length=3)]]
    single_non_german: Entry[dict[SovietResult, SovietResult]]
    losses: Entry[Count]
    losses_without_way_out: Entry[Count]


class Victory(Strict):
    """Least number of Axis regions for each level of victory (BB-6.1)."""

    levels: Entry[dict[Literal["soviet_major", "soviet_minor", "draw", "axis_minor", "axis_major"], Whole]]

    @field_validator("levels")
    @classmethod
    def _rise(cls, levels: Entry[dict[str, int]]) -> Entry[dict[str, int]]:
        least = [levels.value.get(outcome, -1) for outcome in OUTCOMES]
        if least[0] != 0 or least != sorted(least):
            raise ValueError(f"the levels must rise from 0: {', '.join(OUTCOMES)}")
        return levels


# Rules know a choice by its place.
CHOICES = {
    "vacated": ["at_once", "phase_end", "garrison"],
    "five": ["reroll", "two_attacks"],
    "second_name": ["tie_break", "when_first_is_soviet"],
}


class Options(Strict):
    """Readings that have sensible alternatives, and the rulebook's own optional rules (BB-7.1)."""

    vacated: Option
    lone_unit_may_attack: Option
    five: Option
    second_name: Option
    flexible_deployment: Option
    eager_allies: Option
    fuhrer_order: Option

    @model_validator(mode="after")
    def _choices_are_known(self) -> "Options":
        for name, option in self:
            known = CHOICES.get(name, [False, True])
            if option.choices != known:
                raise ValueError(f"the choices of {name} are {known}, in this order")
        return self


class RulesFile(Strict):
    """``rules.toml``."""

    version: str
    calendar: Calendar
    attack: Attack
    reinforcements: Reinforcements
    nations: Nations
    soviet_attacks: SovietAttacks
    soviet_targets: SovietTargets
    soviet_results: SovietResults
    victory: Victory
    options: Options

    @model_validator(mode="after")
    def _tables_fit_the_calendar(self) -> "RulesFile":
        turns = self.calendar.turns.value
        for name, entry in self.soviet_attacks:
            if isinstance(entry.value, list) and len(entry.value) != len(turns):
                raise ValueError(f"soviet_attacks.{name} has {len(entry.value)} turns, the calendar {len(turns)}")
        years = {f"19{turn[1:]}" for turn in turns}
        for name in ("modifier_german", "modifier_other"):
            missing = years - set(getattr(self.attack, name).value)
            if missing:
                raise ValueError(f"attack.{name} says nothing of {', '.join(sorted(missing))}")
        return self


class Region(Strict):
    """A region of the map (BB-1.4)."""

    lon_lat: Annotated[list[float], Field(min_length=2, max_length=2)]
    draw_at: Annotated[list[float], Field(min_length=2, max_length=2)]
    axis: bool


class MapFile(Strict):
    """A map: regions, the lines between them, seas (BB-1.4, BB-3.3), and where Rumanians may be (BB-4.4)."""

    name: Name
    rulebook: Literal["barbarossa"]
    reconstructed: bool = False
    aliases: dict[str, str] = {}
    supply_sources: list[str]
    rumanians_allowed: list[str]
    regions: dict[str, Region]
    seas: dict[str, list[str]]
    lines: dict[str, list[str]]

    @model_validator(mode="after")
    def _names_are_regions(self) -> "MapFile":
        named = [
            *(("supply_sources", name) for name in self.supply_sources),
            *(("rumanians_allowed", name) for name in self.rumanians_allowed),
            *(("aliases", name) for name in self.aliases.values()),
            *((f"seas.{sea}", name) for sea, names in self.seas.items() for name in names),
            *((f"lines.{start}", name) for start, names in self.lines.items() for name in (start, *names)),
        ]
        for key, name in named:
            if name not in self.regions:
                raise ValueError(f"{key} names {name!r}, which is no region: use {one_of(self.regions, name)}")
        seen: set[frozenset[str]] = set()
        for start, names in self.lines.items():
            for end in names:
                if start == end or frozenset((start, end)) in seen:
                    raise ValueError(f"lines.{start}: the line to {end!r} is there twice or leads nowhere")
                seen.add(frozenset((start, end)))
        return self

    def region(self, name: str) -> str:
        """A region's own name for any of its names."""
        return self.aliases.get(name, name)


class UnitOnMap(Strict):
    """A unit of the set-up."""

    name: str = Field(min_length=1)
    nation: NationName
    region: str


class Reinforcement(Strict):
    """A unit of the calendar of reinforcements (BB-4.1); ``eager``: where it starts with eager allies (BB-7.1)."""

    name: str = Field(min_length=1)
    nation: NationName
    turn: TurnName
    eager: str = ""


class ScenarioFile(Strict):
    """A scenario: where everything stands and when the game starts (BB-7.2)."""

    name: Name
    aliases: list[Name] = []
    rulebook: Literal["barbarossa"]
    title: str
    map: Name
    sides: dict[Literal["red", "blue"], str]
    first_turn: TurnName
    first_phase: Literal["movement", "soviet_attacks"]
    units: list[UnitOnMap] = Field(min_length=1)
    reinforcements: list[Reinforcement] = []
    garrisons: list[str] = []
    deployment: str = "policy"
    deployments: dict[Name, list[str]] = {}

    @model_validator(mode="after")
    def _names_are_known(self) -> "ScenarioFile":
        names = [unit.name for unit in (*self.units, *self.reinforcements)]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"units: the name {sorted(twice)[0]!r} is there twice")
        if self.deployment != "policy" and self.deployment not in self.deployments:
            known = one_of(["policy", *self.deployments], self.deployment)
            raise ValueError(f"deployment: {self.deployment!r} is unknown: use {known}")
        germans = sum(unit.nation == NATIONS[0] for unit in self.units)
        for name, regions in self.deployments.items():
            if len(regions) != germans:
                raise ValueError(f"deployments.{name} has {len(regions)} regions for {germans} German units")
        return self
