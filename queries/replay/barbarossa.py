"""A game of Barbarossa Solitaire as a page shows it: stacks below their regions, moves and attacks along the lines."""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from queries import draw
from queries.draw.barbarossa import COUNTER, KEY_WIDTH, NATIONS
from queries.replay.scene import (
    Event,
    Place,
    Point,
    Scene,
    Stand,
    Unit,
    around,
    by_turn,
    holders_of,
    measures_of,
    said,
    size_of,
    words,
)
from queries.tell import Row, Story

SVG = "{http://www.w3.org/2000/svg}"
MEASURES = {"Regions held": "territory", "Units on the map": "on_map", "Units waiting": "waiting"}
STYLES = {
    "move": "move", "assault": "fire", "attack": "area", "isolated": "mark", "vacated": "mark", "reinforcement": "mark",
    "soviet_attack": "area", "retreat": "move", "lost": "loss", "left_the_game": "loss",
}  # fmt: skip
TOLD = {"dice": "die {}", "modifier": "modifier {}", "units": "{} units", "result": "{}", "losses": "{} lost"}
MOST_ABREAST = 4
"""Counters that lie beside each other without overlapping."""


def scene(board: Mapping[str, Any], story: Story) -> Scene:
    """The game, drawn."""
    svg = draw.svg("barbarossa", board)
    boxes = _boxes(svg)
    places = [Place(name, "box", _outline(*box), name, box[0] + box[2] / 2, box[1] + 17) for name, box in boxes.items()]
    middles = {name: (x + width / 2, y + height / 2) for name, (x, y, width, height) in boxes.items()}
    names = list(dict.fromkeys(row["unit"] for row in story.units))
    nations = {row["unit"]: row["nation"] for row in story.units}
    units = [Unit(name, "blue", "army", name.partition(" ")[0], NATIONS.get(nations[name], "")) for name in names]
    sheet = size_of(svg)
    return Scene(
        svg=svg,
        sheet=sheet,
        map=(whole := (10.0, 80.0, sheet[0] - KEY_WIDTH - 20, sheet[1] - 90)),
        view=around(list(middles.values()), 60, whole),
        size=COUNTER[1],
        least=11,
        places=places,
        units=units,
        stands={turn: _stands(rows, names, middles) for turn, rows in by_turn(story.units).items()},
        holders=holders_of(story, places),
        events={turn: _events(rows, middles) for turn, rows in by_turn(story.events).items()},
        measures=measures_of(story, MEASURES),
    )  # fmt: skip


def _boxes(svg: str) -> dict[str, tuple[float, float, float, float]]:
    """Where the drawing has the box of each region: x, y, width and height."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if group.get("class") == "place":
            title, box = group.find(f"{SVG}title"), group.find(f"{SVG}rect")
            if title is not None and title.text and box is not None:
                name = title.text.rpartition(":")[0]
                found[name] = tuple(float(box.attrib[key]) for key in ("x", "y", "width", "height"))
    return found


def _outline(x: float, y: float, width: float, height: float) -> str:
    """A box with round corners."""
    over, down = width - 16, height - 16
    return f"M{x + 8:.1f} {y:.1f}h{over:.1f}q8 0 8 8v{down:.1f}q0 8-8 8h{-over:.1f}q-8 0-8-8v{-down:.1f}q0-8 8-8Z"


def _stands(rows: Sequence[Row], names: Sequence[str], middles: Mapping[str, Point]) -> list[Stand]:
    """The stacks after a turn, each beside the next below the region's box."""
    stacks: dict[str, list[str]] = {}
    for row in rows:
        if row["status"] == "on_map":
            stacks.setdefault(row["region"], []).append(row["unit"])
    found = []
    for region, stack in stacks.items():
        step = (COUNTER[0] + 2) * min(1.0, (MOST_ABREAST - 1) / max(len(stack) - 1, 1))
        for i, unit in enumerate(stack):
            x, y = middles[region]
            x += (i - (len(stack) - 1) / 2) * step
            found.append(Stand(names.index(unit), x, y + 28, None, None, "", False, f"in {region}"))
    return found


def _events(rows: Sequence[Row], middles: Mapping[str, Point]) -> list[Event]:
    """Moves and assaults along the lines; what happens in a region as marks in a row above its box."""
    found: list[Event] = []
    marks: dict[str, int] = {}
    for row in rows:
        style, place = STYLES.get(row["kind"], "mark"), row["place"]
        if not place:
            continue
        start, end = middles.get(row["origin"] or place, middles[place]), middles[place]
        if style in ("mark", "area", "loss"):
            n = marks[place] = marks.get(place, -1) + 1
            start = end = end[0] + 17 * n - 20, end[1] - 24
        side = "red" if row["kind"] == "soviet_attack" else "blue"
        found.append(Event(style, side, *start, *end, _about(row)))
    return found


def _about(row: Row) -> str:
    who = f"{row['actor']}: " if row["actor"] else ""
    where = f"{row['origin']} to {row['place']}" if row["origin"] else row["place"]
    told = said(row, TOLD) if row["kind"] in ("attack", "soviet_attack") else []
    return "; ".join([f"{who}{words(row['kind'])}, {where}", *told])
