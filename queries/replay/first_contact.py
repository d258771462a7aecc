"""A game of First Contact as a page shows it: squads and vehicles in their cells, shots and barrages, sectors held."""

from collections.abc import Mapping, Sequence
from typing import Any

from queries import draw
from queries.draw.first_contact.sheet import CELL, LEFT, SECTOR, TOP
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
from sim.first_contact.ground import COLUMNS, ROWS, MapFile, farm_cells, trench_cells
from sim.first_contact.state import OBJECTIVES
from sim.geometry.square import DIRECTIONS, WIDTH
from sim.rules_file import check

MEASURES = {
    "Men able to fight": "men_able", "Vehicles able to fight": "armour_able", "Sectors held": "territory",
    "Objectives held": "objectives", "Ammunition": "ammunition",
}  # fmt: skip
MARKS = {"t34_76": "34", "t34_85": "85", "su152": "SU", "panther": "P", "tiger": "T"}
FLAGS = {"cannot_fire": "F", "cannot_move": "M", "stunned": "S"}
HURT = ("effect", "penetrated", "stunned", "destroyed", "wiped_out", "routed")
TOLD = {
    "weapon": "{}", "mode": "{}", "range_m": "{} m", "facing": "{}", "fire_dice": "fire roll {}", "dice": "die {}",
    "value": "value {}", "result": "{}", "dead": "{} dead", "wounded": "{} wounded", "shells": "{} shells",
}  # fmt: skip


def scene(board: Mapping[str, Any], story: Story) -> Scene:
    """The game, drawn."""
    svg = draw.svg("first_contact", board)
    names = {name: number for number, name in enumerate(dict.fromkeys(row["unit"] for row in story.units))}
    first = {row["unit"]: row for row in reversed(story.units)}
    places = _places(board, story)
    sheet = size_of(svg)
    at = [_middle(row["location"]) for row in story.units if row["location"] is not None and row["status"] == "on_map"]
    where = {(row["unit"], row["turn"]): row["location"] for row in story.units}
    return Scene(
        svg=svg,
        sheet=sheet,
        map=(whole := (LEFT, TOP, COLUMNS * CELL, ROWS * CELL)),
        view=around(at, 80, whole),
        size=CELL,
        least=7,
        places=places,
        units=[
            Unit(name, first[name]["side"], "squad" if first[name]["kind"] == "squad" else "vehicle",
                 MARKS.get(first[name]["kind"], ""))
            for name in names
        ],
        stands={turn: _stands(rows, names, first) for turn, rows in by_turn(story.units).items()},
        holders=holders_of(story, places),
        events={
            turn: [event for row in rows if (event := _event(row, where))]
            for turn, rows in by_turn(story.events).items()
        },
        measures=measures_of(story, MEASURES),
    )  # fmt: skip


def _middle(cell: int) -> Point:
    """Where the middle of a cell is drawn."""
    row, column = divmod(cell, int(WIDTH))
    return LEFT + (column + 0.5) * CELL, TOP + (row + 0.5) * CELL


def _places(board: Mapping[str, Any], story: Story) -> list[Place]:
    """Sectors row by row (FC-11.1), then the rings of the objectives (FC-11.2)."""
    chart = check(MapFile, dict(board), f"map {board.get('name', '?')}")
    side, across = SECTOR * CELL, -(-COLUMNS // SECTOR)
    found = []
    for number, name in enumerate(dict.fromkeys(row["place"] for row in story.territory)):
        if name in OBJECTIVES:
            cells = farm_cells(chart) if name == OBJECTIVES[0] else trench_cells(chart, name)
            rows, columns = zip(*cells, strict=True)
            # With the ring around them.
            x1, y1 = _middle(max(min(rows) - 1, 0) * int(WIDTH) + max(min(columns) - 1, 0))
            x2, y2 = _middle(min(max(rows) + 1, ROWS - 1) * int(WIDTH) + min(max(columns) + 1, COLUMNS - 1))
            found.append(Place(name, "ring", f"M{x1 - 6:.0f} {y1 - 6:.0f}H{x2 + 6:.0f}V{y2 + 6:.0f}H{x1 - 6:.0f}Z"))
        else:
            down, right = divmod(number, across)
            x, y = LEFT + right * side, TOP + down * side
            found.append(Place(name, "area", f"M{x:.0f} {y:.0f}h{side:.0f}v{side:.0f}h{-side:.0f}Z"))
    return found


def _stands(rows: Sequence[Row], names: Mapping[str, int], first: Mapping[str, Row]) -> list[Stand]:
    found = []
    for row in rows:
        gone = row["status"] == "gone"
        squad = row["kind"] == "squad"
        if row["location"] is None or (row["status"] != "on_map" and not gone):
            continue
        facing = None if row["facing"] is None else 45.0 * DIRECTIONS.index(row["facing"])
        flags = "" if gone else "".join(letter for name, letter in FLAGS.items() if row[name])
        strength = row["men"] / first[row["unit"]]["men"] if squad and first[row["unit"]]["men"] else None
        about = [f"{row['men']} men", f"ammunition {row['ammunition']}"]
        about += [words(name) for name in (*FLAGS, "in_trench") if row[name]]
        if row["morale"]:
            about.append(f"morale {row['morale']}")
        lost = "wiped out" if squad else "destroyed"
        where = _middle(row["location"])
        found.append(
            Stand(names[row["unit"]], *where, facing, strength, flags, gone, lost if gone else ", ".join(about))
        )
    return found


def _event(row: Row, where: Mapping[tuple[str, int], int | None]) -> Event | None:
    start = where.get((row["actor"], row["turn"])) if row["actor"] else row["location"]
    end = row["location"]
    if end is None and row["target"]:
        end = where.get((row["target"], row["turn"]))
    if end is None:
        end = start
    if end is None:
        return None
    if row["kind"] == "shot":
        style = "hit" if row["result"] in HURT else "fire"
    elif row["kind"] in ("barrage", "shell"):
        style = "loss" if row["losses"] else "area"
    else:
        style = "loss" if row["result"] in HURT else "mark"
    who = " on ".join(row[role] for role in ("actor", "target") if row[role])
    about = "; ".join([f"{words(row['kind'])}{': ' if who else ''}{who}", *said(row, TOLD)])
    return Event(style, row["side"] or "", *_middle(end if start is None else start), *_middle(end), about)
