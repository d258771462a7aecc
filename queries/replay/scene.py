"""What a page shows of a game, whatever the rulebook: places, units and where they stand, events, measures."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree

from queries.tell import Chapter, Row, Story

View = tuple[float, float, float, float]
Point = tuple[float, float]

SIGNS = {"red": "r", "blue": "b"}
FLATTEST = 0.55
"""Height to width of the flattest part of a map that a page opens with."""


class Place(NamedTuple):
    """A place that is coloured by its holder: an outline as an SVG path, with its name written at a point or not.

    ``kind`` is box (filled), area (tinted) or ring (drawn round).
    """

    name: str
    kind: str
    path: str
    label: str = ""
    x: float = 0.0
    y: float = 0.0


class Unit(NamedTuple):
    """A unit's counter: ``shape`` is army, squad or vehicle; ``fill`` a colour of its own."""

    name: str
    side: str
    shape: str
    mark: str
    fill: str = ""


class Stand(NamedTuple):
    """Where a unit stands after a turn and how it is.

    ``unit`` is its number, ``facing`` degrees clockwise from north or None, ``strength`` from 0 to 1 or None;
    ``flags`` are letters for what ails it, ``wreck`` tells that it is out of the game; ``about`` says it in words.
    """

    unit: int
    x: float
    y: float
    facing: float | None
    strength: float | None
    flags: str
    wreck: bool
    about: str


class Event(NamedTuple):
    """Something that is drawn from one point to another: ``style`` is move, fire, hit, mark, area or loss."""

    style: str
    side: str
    x1: float
    y1: float
    x2: float
    y2: float
    about: str


class Measure(NamedTuple):
    """A curve for each side: a column of ``turns``, by side and turn."""

    title: str
    by_turn: Mapping[tuple[str, int], float | None]

    def values(self, side: str, chapters: Sequence[Chapter]) -> list[float | None]:
        """The values of a side, chapter by chapter."""
        return [self.by_turn.get((side, chapter.turn)) for chapter in chapters]


class Scene(NamedTuple):
    """A game, drawn.

    ``svg`` is the drawing, ``sheet`` its size, ``map`` the part of it that has the map, without title and legend, and
    ``view`` the part that the game takes. ``size`` is the height of a counter in units of the drawing, ``least`` the
    least that it takes on a screen, in pixels. ``stands``, ``holders`` and ``events`` are by turn; holders are a letter
    for each place: r, b or -.
    """

    svg: str
    sheet: Point
    map: View
    view: View
    size: float
    least: float
    places: Sequence[Place]
    units: Sequence[Unit]
    stands: Mapping[int, Sequence[Stand]]
    holders: Mapping[int, str]
    events: Mapping[int, Sequence[Event]]
    measures: Sequence[Measure]


def size_of(svg: str) -> Point:
    """Width and height of a drawing."""
    _, _, width, height = map(float, ElementTree.fromstring(svg).attrib["viewBox"].split())
    return width, height


def measures_of(story: Story, columns: Mapping[str, str]) -> list[Measure]:
    """Measures from columns of ``turns``, by their titles."""
    return [
        Measure(title, {(row["side"], row["turn"]): row[column] for row in story.turns})
        for title, column in columns.items()
    ]


def holders_of(story: Story, places: Sequence[Place]) -> dict[int, str]:
    """Who holds each place after each turn, a letter for each place in order."""
    held: dict[int, dict[str, str]] = {}
    for row in story.territory:
        held.setdefault(row["turn"], {})[row["place"]] = SIGNS.get(row["holder"], "-")
    return {turn: "".join(signs.get(place.name, "-") for place in places) for turn, signs in held.items()}


def by_turn(rows: Sequence[Row]) -> dict[int, list[Row]]:
    """Rows of a table, turn by turn."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["turn"], []).append(row)
    return found


def around(points: Sequence[Point], margin: float, whole: View) -> View:
    """The part of a drawing that has all points in it and a margin around them; all of it where there are none.

    A flat one is as high as `FLATTEST` asks for, as far as the drawing goes.
    """
    if not points:
        return whole
    left, top = min(x for x, _ in points) - margin, min(y for _, y in points) - margin
    right, bottom = max(x for x, _ in points) + margin, max(y for _, y in points) + margin
    left, right = max(left, whole[0]), min(right, whole[0] + whole[2])
    more = max(0.0, FLATTEST * (right - left) - (bottom - top)) / 2
    top, bottom = top - more, bottom + more
    # What does not fit on one side is added on the other.
    over, under = max(0.0, whole[1] - top), max(0.0, bottom - whole[1] - whole[3])
    top, bottom = max(top - under, whole[1]), min(bottom + over, whole[1] + whole[3])
    return left, top, right - left, bottom - top


def words(value: object) -> str:
    """A name of the rulebook as words, a number as people write it."""
    return f"{value:.3g}" if isinstance(value, float) else str(value).replace("_", " ")


def said(row: Row, columns: Mapping[str, str]) -> list[str]:
    """Columns of a row in words, ``{}`` standing for the value; those that are null are left out."""
    return [text.format(words(row[name])) for name, text in columns.items() if row.get(name) is not None]
