"""What a rules file and a scenario of First Contact must look like; a map is `ground.MapFile`."""

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import Field, model_validator

from sim.first_contact.state import MOST_OF_A_SIDE
from sim.rules_file import MOST_NUMBER, Count, Entry, Name, Option, Positive, Strict, Whole, one_of

T = TypeVar("T")
Side = Literal["red", "blue"]
Vehicle = Literal["t34_76", "t34_85", "su152", "panther", "tiger"]
Direction = Literal["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
Outcome = Literal["soviet_decisive", "soviet_marginal", "german_marginal", "german_decisive"]
Morale = Literal["broken", "low", "normal", "high"]
UnitCount = Annotated[int, Field(ge=0, le=MOST_OF_A_SIDE)]
# A percentage that a value is divided by, or that must leave something of it.
Percent = Annotated[int, Field(gt=-100, le=1000)]


class BySide(Strict, Generic[T]):
    """Something of each side."""

    red: T
    blue: T


class Setting(Strict):
    """Length of the game (FC-1.2) and of a cell (FC-1.1)."""

    turns: Entry[Annotated[int, Field(ge=1, le=60)]]
    cell: Entry[Positive]


class Weapons(Strict):
    """Weapons of a company (FC-2.1, FC-2.3)."""

    anti_tank: Count
    submachine_gun: Count
    rifle: Count
    machine_gun: Count


class Ammunition(Strict):
    """Ammunition at the start (FC-2.1, FC-2.3)."""

    squad: Count
    vehicle: Count


class CompanyRules(Strict):
    """What a company consists of (FC-2.1, FC-2.3)."""

    squads: Entry[UnitCount]
    men: Entry[Annotated[int, Field(ge=1, le=100)]]
    vehicles: Entry[dict[Vehicle, UnitCount]]
    weapons: Entry[Weapons]
    ammunition: Entry[Ammunition]


class Forces(BySide[CompanyRules]):
    """Companies of each side, and after which turns those in reserve and the support come (chapter 2)."""

    reserves_after: Entry[Count]
    support_after: Entry[Count]


class Movement(Strict):
    """The movement die (FC-4.1)."""

    die: Entry[Annotated[int, Field(ge=1, le=20)]]


class ByMode(Strict):
    """A number of each mode of fire (FC-5.1)."""

    fire: Count
    suppress: Count


class CrewLost(Strict):
    """Crew that a penetration costs (FC-5.4)."""

    side: Count
    rear: Count


class SquadRange(Strict):
    """Ranges of a squad's weapons (FC-5.8)."""

    small_arms: Count
    machine_gun: Count
    anti_tank: Count


class Fire(Strict):
    """Fire (chapter 5)."""

    ammunition: Entry[ByMode]
    casualties: Entry[ByMode]
    armour_base: Entry[Count]
    crew_lost: Entry[CrewLost]
    takes_effect: Entry[Annotated[list[Whole], Field(min_length=3, max_length=3)]]
    vehicle_range: Entry[dict[Vehicle, Count]]
    squad_range: Entry[SquadRange]


class Plates(Strict):
    """Thickness of a vehicle's facings, to a tenth of a millimetre."""

    front: float
    side: float
    rear: float

    @model_validator(mode="after")
    def _tenths(self) -> "Plates":
        for name, thickness in self:
            if not 0 <= thickness <= MOST_NUMBER or abs(thickness * 10 - round(thickness * 10)) > 1e-6:
                raise ValueError(f"{name} = {thickness} is no thickness in tenths of a millimetre")
        return self


class PlatesByKind(Strict):
    """Thickness by kind of vehicle on one basis (FC-5.6)."""

    t34_76: Entry[Plates]
    t34_85: Entry[Plates]
    su152: Entry[Plates]
    panther: Entry[Plates]
    tiger: Entry[Plates]


class Vehicles(Strict):
    """Vehicles (FC-5.6)."""

    crew: Entry[dict[Vehicle, Annotated[int, Field(ge=1, le=20)]]]
    line_of_sight: PlatesByKind
    nominal: PlatesByKind


class Effect(Strict):
    """What terrain does to a squad or a vehicle in it."""

    protection: Percent
    fire: Percent
    speed: Percent
    suppress: Percent | None = None


class Effects(Strict):
    """What terrain does to squads and to vehicles; what is left out cannot enter."""

    squads: Effect
    vehicles: Effect | None = None


class Terrain(Strict):
    """Terrain: forest FC-6.1, plain FC-6.2, hill FC-6.3, road FC-6.4, barn FC-6.5, house FC-6.6, haystack FC-6.7 and
    trench FC-6.8.
    """

    forest: Entry[Effects]
    plain: Entry[Effects]
    hill: Entry[Effects]
    road: Entry[Effects]
    barn: Entry[Effects]
    house: Entry[Effects]
    haystack: Entry[Effects]
    trench: Entry[Effects]


class Barn(Strict):
    """The barn (FC-6.5)."""

    stays: Entry[Count]


class Sight(Strict):
    """Lines of sight (FC-5.9)."""

    eye: Entry[Count]
    obstacles: Entry[dict[Literal["forest", "barn", "house", "haystack"], Count]]


class BarrageRules(Strict):
    """Barrages (chapter 7)."""

    calls: Entry[BySide[Annotated[int, Field(ge=0, le=1000)]]]
    mortars: Entry[Annotated[int, Field(ge=0, le=20)]]
    scatter_dice: Entry[Annotated[int, Field(ge=1, le=8)]]
    scatter_divisor: Entry[Positive]
    damage: Entry[Count]
    armour_share: Entry[Count]
    squad_share: Entry[Count]


class Supply(Strict):
    """Supply (FC-8.2)."""

    regained: Entry[Count]


class Level(Strict):
    """A level of morale (FC-9.2)."""

    suppression: Annotated[int, Field(ge=-1, le=MOST_NUMBER)]
    rout: Annotated[int, Field(ge=0, le=100)]
    inflicted: Percent
    pips: Whole


class MoraleRules(Strict):
    """Morale (chapter 9)."""

    attacks: Entry[Positive]
    supports: Entry[Positive]
    start: Entry[Morale]
    high: Entry[Level]
    normal: Entry[Level]
    low: Entry[Level]
    broken: Entry[Level]


class MeleeRules(Strict):
    """Melee (chapter 10)."""

    rout_dice: Entry[Annotated[int, Field(ge=1, le=4)]]


class Control(Strict):
    """Control and victory (chapter 11)."""

    sector: Entry[Positive]
    outcomes: Entry[Annotated[list[Outcome], Field(min_length=4, max_length=4)]]


CHOICES = {
    "first_mover": ["german", "soviet", "die"],
    "movement_dice": [1, 2],
    "casualties": ["men", "share"],
    "casualty_roll": ["target", "shot"],
    "armour_basis": ["line_of_sight", "nominal"],
    "fire_roll": ["range_thirds", "none"],
}
"""Choices of the options in the order in which the rules know them."""


class Options(Strict):
    """Readings that have sensible alternatives."""

    first_mover: Option
    movement_dice: Option
    casualties: Option
    casualty_roll: Option
    armour_basis: Option
    fire_roll: Option

    @model_validator(mode="after")
    def _choices_are_known(self) -> "Options":
        for name, option in self:
            if option.choices != CHOICES[name]:
                raise ValueError(f"the choices of {name} are {CHOICES[name]}, in this order")
        return self


class RulesFile(Strict):
    """``rules.toml``."""

    version: str
    setting: Setting
    forces: Forces
    movement: Movement
    fire: Fire
    vehicles: Vehicles
    terrain: Terrain
    barn: Barn
    sight: Sight
    barrage: BarrageRules
    supply: Supply
    morale: MoraleRules
    melee: MeleeRules
    control: Control
    options: Options

    @model_validator(mode="after")
    def _every_vehicle_has_its_numbers(self) -> "RulesFile":
        kinds = set(PlatesByKind.model_fields)
        tables = (("fire.vehicle_range", self.fire.vehicle_range.value), ("vehicles.crew", self.vehicles.crew.value))
        for key, table in tables:
            missing = kinds - set(table)
            if missing:
                raise ValueError(f"{key} says nothing of {', '.join(sorted(missing))}")
        return self


Span = Annotated[list[Count], Field(min_length=2, max_length=2)]


class Rectangle(Strict):
    """Cells of a rectangle, first and last row and column included, row by row from the north-west."""

    rows: Span
    columns: Span
    every: Positive = 1

    @model_validator(mode="after")
    def _first_before_last(self) -> "Rectangle":
        for name, span in (("rows", self.rows), ("columns", self.columns)):
            if span[0] > span[1]:
                raise ValueError(f"{name} = {span}: the first comes before the last")
        return self


class TrenchLine(Strict):
    """Cells of a trench, one after another; the first ``skip`` of them are left out."""

    trench: Literal["west_trench", "middle_trench", "top_trench"]
    skip: Count = 0
    every: Positive = 1


class CompanyZones(Strict):
    """Where a company starts: its squads and its vehicles take the cells of their zones in order (FC-2.8)."""

    company: str
    squads: list[TrenchLine | Rectangle] = Field(min_length=1)
    vehicles: list[Rectangle] = Field(min_length=1)


class Deployment(Strict):
    """A side's set-up: a zone for every company that is there, and where its vehicles face (FC-2.8, FC-4.5)."""

    facing: Direction
    zones: list[CompanyZones] = Field(min_length=1)


class EntryZone(Rectangle):
    """Where reserves come on (FC-2.7) and where their vehicles face."""

    facing: Direction


class Company(Strict):
    """A company (FC-1.3); one in reserve comes later."""

    name: str = Field(min_length=1)
    side: Side
    reserve: bool = False


class Support(Strict):
    """A single vehicle that comes later than the reserves (FC-2.2)."""

    name: str = Field(min_length=1)
    side: Side
    kind: Vehicle


class Allotment(Strict):
    """Squads of each company, numbered from 1, that have the weapon (FC-2.6)."""

    anti_tank: list[Positive]
    machine_gun: list[Positive]


class ScenarioFile(Strict):
    """A scenario: forces, where they start and where reserves come on."""

    name: Name
    aliases: list[Name] = []
    rulebook: Literal["first_contact"]
    title: str
    map: Name
    sides: BySide[str]
    companies: list[Company] = Field(min_length=1)
    support: list[Support] = []
    weapons: BySide[Allotment]
    entry: BySide[EntryZone]
    deployment: BySide[Name]
    deployments: BySide[dict[Name, Deployment]]

    @model_validator(mode="after")
    def _names_are_known(self) -> "ScenarioFile":
        names = [part.name for part in (*self.companies, *self.support)]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"companies: the name {sorted(twice)[0]!r} is there twice")
        for side in ("red", "blue"):
            chosen, known = getattr(self.deployment, side), getattr(self.deployments, side)
            if chosen not in known:
                raise ValueError(f"deployment.{side}: {chosen!r} is unknown: use {one_of(known, chosen)}")
            there = [company.name for company in self.companies if company.side == side and not company.reserve]
            for name, plan in known.items():
                placed = [zones.company for zones in plan.zones]
                for company in placed:
                    if company not in there:
                        raise ValueError(
                            f"deployments.{side}.{name}: {company!r} is no company that starts on the map: "
                            f"use {one_of(there, company)}"
                        )
                if sorted(placed) != sorted(there):
                    missing = one_of(sorted(set(there) - set(placed)) or ["each company once"])
                    raise ValueError(f"deployments.{side}.{name}: a zone is wanted for {missing}")
        return self
