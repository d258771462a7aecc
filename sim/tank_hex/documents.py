"""What a rules file, a map and a scenario of Tank Hex must look like."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from sim.geometry.hexagon import DIRECTIONS
from sim.rules_file import Entry, Name, Option, Positive, Strict, Whole
from sim.tank_hex.state import CARDS, GUNS, MOST_TANKS, PENDING

Die = Annotated[int, Field(ge=1, le=6)]
Level = Annotated[int, Field(ge=1, le=10)]
Count = Annotated[int, Field(ge=0, le=99)]
Ground = Literal["open", "woods", "built_up"]
Screen = Literal["woods", "built_up"]
Armour = Literal["none", "light", "medium", "heavy", "composite"]
Result = Literal["-", "S", "F", "M", "K"]
Card = Literal["rush", "firepower", "repair", "reactive_armour", "rapid_loading", "battery_155", "battery_122"]
Direction = Literal["E", "NE", "NW", "W", "SW", "SE"]
Side = Literal["red", "blue"]
ResultTable = Annotated[
    list[Annotated[list[Result], Field(min_length=10, max_length=10)]], Field(min_length=11, max_length=11)
]
Saves = dict[Armour, Annotated[int, Field(ge=0, le=6)]]


class MapRules(Strict):
    """Measures of the map (TH-1.1, TH-1.2)."""

    hex_m: Entry[Positive]
    square: Entry[Annotated[int, Field(ge=1, le=26)]]


class Tank(Strict):
    """What all tanks have in common (TH-2.1, TH-2.3)."""

    movement: Entry[Count]
    armour: Entry[Armour]
    stacking: Entry[Annotated[int, Field(ge=1, le=MOST_TANKS)]]


class Sight(Strict):
    """Sight (TH-3.1)."""

    screen: Entry[dict[Screen, Count]]
    high_end: Entry[Count]


class Fire(Strict):
    """Direct fire (chapter 4)."""

    level_by_distance: Entry[Annotated[list[Level], Field(min_length=1, max_length=60)]]
    combat_distance: Entry[Positive]
    most_level: Entry[Level]
    height_band: Entry[Positive]
    height_subtract: Entry[Annotated[list[list[Count]], Field(min_length=1, max_length=9)]]
    results: Entry[ResultTable]
    suppressed: Entry[Whole]
    on_the_move: Entry[Whole]
    short_halt: Entry[Whole]
    terrain_saves: Entry[dict[Screen, list[Die]]]
    armour_saves: Entry[Saves]

    @model_validator(mode="after")
    def _tables_fit(self) -> "Fire":
        bands = {len(row) for row in self.height_subtract.value}
        least = -(-len(self.level_by_distance.value) // self.height_band.value)
        if len(bands) != 1 or not least <= bands.pop() <= 60:
            raise ValueError(f"height_subtract: every row has one number for each band, {least} at least")
        if self.combat_distance.value > len(self.level_by_distance.value):
            raise ValueError("combat_distance: level_by_distance has no level for it")
        return self


class Movement(Strict):
    """Movement (chapter 6)."""

    terrain: Entry[dict[Ground, Positive]]
    river: Entry[Positive]
    road: Entry[Positive]
    march: Entry[Positive]
    short_halt: Entry[Count]


class Cards(Strict):
    """Random event cards (TH-7.1)."""

    kinds: Entry[list[Card]]
    rush_units: Entry[Count]
    rush_movement: Entry[Count]
    firepower: Entry[Whole]
    reactive_armour: Entry[Annotated[int, Field(ge=0, le=4)]]


class Batteries(Strict):
    """Artillery (TH-7.2 to TH-7.4)."""

    guns: Entry[Annotated[int, Field(ge=1, le=GUNS)]]
    delay: Entry[Annotated[int, Field(ge=1, le=PENDING)]]
    lost: Entry[list[Die]]
    drifts: Entry[list[Die]]
    directions: Entry[Annotated[list[Direction], Field(min_length=6, max_length=6)]]
    levels_155: Entry[Annotated[list[Level], Field(min_length=3, max_length=3)]]
    levels_122: Entry[Annotated[list[Level], Field(min_length=3, max_length=3)]]
    results: Entry[ResultTable]
    armour_saves_155: Entry[Saves]
    armour_saves_122: Entry[Saves]

    @model_validator(mode="after")
    def _every_direction(self) -> "Batteries":
        if set(self.directions.value) != set(DIRECTIONS):
            raise ValueError(f"directions: each of {', '.join(DIRECTIONS)} is there once")
        return self


class Victory(Strict):
    """Points and levels of victory (TH-8.1)."""

    objective: Entry[Count]
    tank: Entry[Count]
    levels: Entry[Annotated[dict[Literal["marginal", "clear", "decisive"], Positive], Field(min_length=3)]]


class Options(Strict):
    """Readings that have sensible alternatives."""

    minimum_level: Option
    moved_may_react: Option
    suppression_until: Option
    close_combat_phase: Option
    reshuffle: Option
    rings_linger: Option


class RulesFile(Strict):
    """``rules.toml``; the notes of its entries say which are restored and which are ours (TH-4.10)."""

    version: str
    map: MapRules
    tank: Tank
    sight: Sight
    fire: Fire
    movement: Movement
    cards: Cards
    batteries: Batteries
    victory: Victory
    options: Options


class MapFile(Strict):
    """A map: four drawings of the same rows (TH-1.1). `sim.tank_hex.chart` reads them."""

    name: Name
    rulebook: Literal["tank_hex"]
    square: Annotated[str, Field(pattern=r"^\d{4}$")]
    terrain: str
    grades: str
    roads: str
    rivers: str


class Objective(Strict):
    """A hex worth points, and who holds it first (TH-8.1)."""

    name: str = Field(min_length=1)
    hex: str
    holder: Side


class Unit(Strict):
    """A tank of the set-up; one that is not stabilised cannot fire on the move (TH-6.5)."""

    name: str = Field(min_length=1)
    side: Side
    hex: str
    stabilised: bool = True


class Exchange(Strict):
    """A reward (TH-7.1): in the events of a turn a side exchanges a card that is still in its deck for another."""

    turn: Positive
    side: Side
    gives: Card
    takes: Card


class ScenarioFile(Strict):
    """A scenario: where everything stands, for how long, and with how many cards (TH-7.1, TH-8.1)."""

    name: Name
    aliases: list[Name] = []
    rulebook: Literal["tank_hex"]
    title: str
    map: Name
    sides: dict[Side, str]
    turn_limit: Annotated[int, Field(ge=1, le=99)]
    objectives: list[Objective] = []
    units: list[Unit] = Field(min_length=2)
    cards: dict[Side, Annotated[int, Field(ge=0, le=len(CARDS))]] = {}
    decks: dict[Side, list[Card]] = {}
    exchanges: Annotated[list[Exchange], Field(max_length=8)] = []

    @model_validator(mode="after")
    def _names_are_known(self) -> "ScenarioFile":
        for key, names in (("units", [u.name for u in self.units]), ("objectives", [o.name for o in self.objectives])):
            twice = {name for name in names if names.count(name) > 1}
            if twice:
                raise ValueError(f"{key}: the name {min(twice)!r} is there twice")
        if set(self.sides) != {"red", "blue"}:
            raise ValueError("sides: names both sides, red and blue")
        for side, deck in self.decks.items():
            if len(set(deck)) < len(deck):
                raise ValueError(f"decks.{side}: a card is there twice (TH-7.1)")
        return self
