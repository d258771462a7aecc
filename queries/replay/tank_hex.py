"""A game of Tank Hex as a page shows it: tanks in their hexes, moves, shots and shells between them."""

from collections.abc import Mapping, Sequence
from typing import Any

from queries import draw
from queries.draw.tank_hex.sheet import KEY_WIDTH, LEFT, RADIUS, TOP, WIDTH
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

MEASURES = {
    "Tanks": "tanks",
    "Tanks that can fire and move": "armour_able",
    "Points": "points",
    "Objectives": "territory",
}
FLAGS = {"suppressed": "S", "fire_kill": "F", "mobility_kill": "M"}
TOLD = {
    "hexes": "{} hexes", "spent": "{} MP", "weapon": "{}", "gun": "gun {}", "range_m": "{} m", "level": "level {}",
    "die_1": "dice {}", "die_2": "and {}", "armour_die": "armour die {}",
    "result": "{}", "card": "card {}", "fate": "{}",
}  # fmt: skip
MOVES = ("move", "illegal_step")
STACK_STEP = 11.0
"""From one tank of a stack down to the next, in units of the drawing."""


def scene(board: Mapping[str, Any], story: Story) -> Scene:
    """The game, drawn."""
    svg = draw.svg("tank_hex", board)
    lines = [line.split() for line in board["terrain"].splitlines() if line.strip()]
    rows, columns = len(lines), len(lines[0])
    names = list(dict.fromkeys(row["unit"] for row in story.units))
    sides = {row["unit"]: row["side"] for row in story.units}
    places = _places(story, columns)
    sheet = size_of(svg)
    at = [_middle(row["hex"], columns) for row in story.units if row["hex"] is not None]
    return Scene(
        svg=svg,
        sheet=sheet,
        map=(whole := (LEFT, TOP, sheet[0] - KEY_WIDTH - LEFT, 1.5 * rows * RADIUS + RADIUS / 2)),
        view=around(at, 60, whole),
        size=16,
        least=13,
        places=places,
        units=[Unit(name, sides[name], "vehicle", name.rpartition(" ")[2][:2]) for name in names],
        stands=_stands(story, names, columns),
        holders=holders_of(story, places),
        events={
            turn: [event for row in rows if (event := _event(row, columns))]
            for turn, rows in by_turn(story.events).items()
        },
        measures=measures_of(story, MEASURES),
    )


def _middle(hex_: int, columns: int) -> Point:
    """Where the middle of a hex is drawn."""
    row, column = divmod(hex_, columns)
    return LEFT + (column + 0.5 + (row & 1) / 2) * WIDTH, TOP + (1.5 * row + 1) * RADIUS


def _places(story: Story, columns: int) -> list[Place]:
    """The objectives' hexes."""
    half, side = WIDTH / 2, RADIUS / 2
    outline = f"l{half:.1f} {side:.1f}v{RADIUS:.1f}l{-half:.1f} {side:.1f}l{-half:.1f} {-side:.1f}v{-RADIUS:.1f}Z"
    found = {}
    for row in story.territory:
        x, y = _middle(row["hex"], columns)
        found[row["place"]] = Place(
            row["place"], "ring", f"M{x:.1f} {y - RADIUS:.1f}{outline}", row["place"], x, y + RADIUS + 11
        )
    return list(found.values())


def _stands(story: Story, names: Sequence[str], columns: int) -> dict[int, list[Stand]]:
    """Tanks after each turn; one that was destroyed stays as a wreck where it stood last, or where it was hit."""
    hit = {row["target"]: (row["turn"], row["target_hex"]) for row in story.events if row["losses"] and row["target"]}
    last: dict[str, int] = {}
    found: dict[int, list[Stand]] = {}
    for turn, rows in sorted(by_turn(story.units).items()):
        stands = found.setdefault(turn, [])
        lift = _lifts(rows)
        for row in rows:
            unit = row["unit"]
            if row["hex"] is not None:
                last[unit] = row["hex"]
            elif unit in hit and hit[unit][0] == turn and hit[unit][1] is not None:
                last[unit] = hit[unit][1]
            if unit not in last:
                continue
            flags = "".join(letter for name, letter in FLAGS.items() if row[name])
            about = [words(name) for name in ("destroyed", *FLAGS, "in_combat") if row[name]]
            x, y = _middle(last[unit], columns)
            y += lift.get(unit, 0.0)
            stands.append(
                Stand(names.index(unit), x, y, None, None, flags, bool(row["destroyed"]), ", ".join(about) or "able")
            )
    return found


def _lifts(rows: Sequence[Row]) -> dict[str, float]:
    """How far below the middle of its hex each tank of a stack is drawn, so that the number of each can be read."""
    stacks: dict[int, list[str]] = {}
    for row in rows:
        if row["hex"] is not None and not row["destroyed"]:
            stacks.setdefault(row["hex"], []).append(row["unit"])
    return {
        unit: (k - (len(stack) - 1) / 2) * min(STACK_STEP, RADIUS / len(stack) * 2)
        for stack in stacks.values() for k, unit in enumerate(stack)
    }  # fmt: skip


def _event(row: Row, columns: int) -> Event | None:
    end = row["target_hex"] if row["target_hex"] is not None else row["actor_hex"]
    if end is None:
        return None
    start = row["actor_hex"] if row["actor_hex"] is not None else end
    who = " on ".join(row[role] for role in ("actor", "target") if row[role])
    about = "; ".join([f"{words(row['kind'])}{': ' if who else ''}{who}", *said(row, TOLD)])
    if row["kind"] in MOVES:
        style = "move"
    elif row["kind"] in ("gun", "barrage"):
        style = "loss" if row["losses"] else "area"
    elif row["kind"] == "crowded_out":
        style = "loss"
    elif row["actor_hex"] is None or row["target_hex"] is None:
        style = "mark"
    else:
        style = "hit" if row["result"] not in (None, "none") else "fire"
    return Event(style, row["side"] or "", *_middle(start, columns), *_middle(end, columns), about)
