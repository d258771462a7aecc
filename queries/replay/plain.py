"""A game of any rulebook as a page shows it: places as a grid, units where they stand; for those without a drawing."""

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from queries.draw.plain import MARGIN, SIDE, mark, sheet
from queries.replay.scene import Event, Measure, Place, Point, Scene, Stand, Unit, by_turn, holders_of, said, words
from queries.tell import Row, Story

KEYS = {"cell", "replication", "turn", "side", "unit", "place", "origin", "kind", "actor", "target", "seq"}
SIZE = 22.0
"""Height of a counter."""
MOST_MEASURES = 6


def scene(board: Mapping[str, Any], story: Story) -> Scene:
    """The game, drawn."""
    names = list(dict.fromkeys(row["place"] for row in story.territory))
    units = {row["unit"]: str(row.get("side") or "blue") for row in story.units}
    root, boxes = sheet("", names, {})
    place_of = _column_of_places(story.units, set(names))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    if not place_of:
        height += _make_room(root, len(units), width)
    places = [
        Place(name, "area", f"M{x:.1f} {y:.1f}h{w:.1f}v{h:.1f}h{-w:.1f}Z") for name, (x, y, w, h) in boxes.items()
    ]
    middles = {name: (x + w / 2, y + h / 2 + 5) for name, (x, y, w, h) in boxes.items()}
    whole = 0.0, MARGIN + 10, width, height - MARGIN - 10
    return Scene(
        svg=ElementTree.tostring(root, encoding="unicode"),
        sheet=(width, height),
        map=whole,
        view=whole,
        size=SIZE,
        least=12,
        places=places,
        units=[Unit(name, side, "vehicle", mark(name)) for name, side in units.items()],
        stands={
            turn: _stands(rows, list(units), place_of, middles, whole) for turn, rows in by_turn(story.units).items()
        },
        holders=holders_of(story, places),
        events=_events(story, place_of, middles),
        measures=_measures(story),
    )


def _column_of_places(rows: Sequence[Row], names: set[str]) -> str | None:
    """The column of ``units`` that says where they stand: the first whose values are all places."""
    for column in rows[0] if rows else ():
        values = {row[column] for row in rows} - {None}
        if values and values <= names:
            return column
    return None


def _make_room(root: ElementTree.Element, units: int, width: float) -> float:
    """Room below the places for units that stand nowhere in particular; how much it is."""
    _, _, _, height = map(float, root.attrib["viewBox"].split())
    abreast = max(1, int((width - 2 * MARGIN) // (2 * SIZE)))
    more = SIDE * -(-units // abreast)
    root.set("viewBox", f"0 0 {width:.0f} {height + more:.0f}")
    return more


def _stands(
    rows: Sequence[Row], names: Sequence[str], place_of: str | None, middles: Mapping[str, Point], whole: Any
) -> list[Stand]:
    """Units in their places, beside each other; all in rows below where no column says where they stand."""
    stacks: dict[str, list[str]] = {}
    about = {row["unit"]: ", ".join(said(row, _told(row))) for row in rows}
    for row in rows:
        place = row[place_of] if place_of else ""
        if place is not None:
            stacks.setdefault(place, []).append(row["unit"])
    found = []
    abreast = max(1, int((whole[2] - 2 * MARGIN) // (2 * SIZE)))
    bottom = whole[1] + whole[3]
    for place, stack in stacks.items():
        step = min(1.5 * SIZE, SIDE / len(stack))
        for i, unit in enumerate(stack):
            if place_of:
                x, y = middles[place]
                x += (i - (len(stack) - 1) / 2) * step
            else:
                rows_below = -(-len(stack) // abreast)
                x = MARGIN + (i % abreast + 0.5) * 2 * SIZE
                y = bottom - (rows_below - i // abreast - 0.5) * SIDE
            found.append(Stand(names.index(unit), x, y, None, None, "", False, about[unit]))
    return found


def _told(row: Row) -> dict[str, str]:
    return {name: f"{words(name)} {{}}" for name in row if name not in KEYS}


def _events(story: Story, place_of: str | None, middles: Mapping[str, Point]) -> dict[int, list[Event]]:
    """What happened in a place, or to a unit that stands in one: from its origin if it has any."""
    stood = {(row["unit"], row["turn"]): row[place_of] for row in story.units} if place_of else {}
    found: dict[int, list[Event]] = {}
    for row in story.events:
        places = [row.get("place"), *(stood.get((row[role], row["turn"])) for role in ("target", "actor"))]
        place = next((it for it in places if it in middles), None)
        if place is None:
            continue
        start = str(row.get("origin"))
        start = start if start in middles else place
        style = "loss" if row["kind"] == "lost" else "mark" if start == place else "move"
        who = " on ".join(row[role] for role in ("actor", "target") if row[role])
        about = "; ".join([f"{words(row['kind'])}{': ' if who else ''}{who}, {place}", *said(row, _told(row))])
        event = Event(style, row["side"] or "", *middles[start], *middles[place], about)
        found.setdefault(row["turn"], []).append(event)
    return found


def _measures(story: Story) -> list[Measure]:
    """Numbers of the sides, the first of which there are any."""
    columns = [
        name
        for name in (story.turns[0] if story.turns else ())
        if name not in KEYS and any(isinstance(row[name], int | float) for row in story.turns)
    ]
    return [
        Measure(words(name).capitalize(), {(row["side"], row["turn"]): row[name] for row in story.turns})
        for name in columns[:MOST_MEASURES]
    ]
