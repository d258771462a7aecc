"""A game as one page: its map, stepped and played turn by turn, with what happened and how strong the sides were.

The page has everything in it and asks no network for anything. What differs between rulebooks is in a module here of
the rulebook's name, with a function ``scene``; one without is shown as a plain board (`plain`).
"""

import html
import importlib
import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from queries.replay.scene import Scene
from queries.tell import Chapter, Story, tell

HERE = Path(__file__).parent


def page(rulebook: str, board: Mapping[str, Any], story: Story, title: str, about: str, turn: int | None = None) -> str:
    """The page of a game, as HTML; it opens with a turn, by default with the set-up.

    ``board`` is the map as it is read from its file, ``about`` a line that says what was played. The game must have
    come to an end. Raises `ValueError` if it has not.
    """
    if not story.turns:
        raise ValueError("the game failed: it has no turns to show")
    chapters, outcome = tell(rulebook, story)
    own = f"queries.replay.{rulebook}"
    drawn = importlib.import_module(own if importlib.util.find_spec(own) else "queries.replay.plain")
    scene: Scene = drawn.scene(board, story)
    data = {
        "sides": dict(story.sides),
        "view": scene.view,
        "box": [f"{value:.1f}" for value in scene.map],
        "size": scene.size,
        "least": scene.least,
        "places": [place._asdict() for place in scene.places],
        "units": [unit._asdict() for unit in scene.units],
        "measures": [
            {"title": it.title, "red": it.values("red", chapters), "blue": it.values("blue", chapters)}
            for it in scene.measures
        ],
        "turns": [_turn(scene, chapter) for chapter in chapters],
        "first": next((i for i, chapter in enumerate(chapters) if chapter.turn == turn), 0),
    }
    # A "<" in the data could end the script that holds it.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        "title": html.escape(title),
        "about": html.escape(about),
        "outcome": html.escape(outcome),
        "style": (HERE / "page.css").read_text(encoding="utf-8"),
        "script": (HERE / "page.js").read_text(encoding="utf-8"),
        # As an image the drawing keeps its styles to itself.
        "map": f"data:image/svg+xml,{quote(scene.svg, safe=chr(32) + ';/:=,()')}",
        "sheet": " ".join(
            f'{name}="{value:.0f}"' for name, value in zip(("width", "height"), scene.sheet, strict=True)
        ),
        "data": text,
    }
    page = (HERE / "page.html").read_text(encoding="utf-8")
    before, *pieces = page.split("{{")
    return before + "".join(f"{parts[name]}{rest}" for name, _, rest in (it.partition("}}") for it in pieces))


def _turn(scene: Scene, chapter: Chapter) -> dict[str, Any]:
    stands = scene.stands.get(chapter.turn, ())
    return {
        "turn": chapter.turn,
        "title": chapter.title,
        "sections": [[section.title, list(section.lines)] for section in chapter.sections],
        "standing": list(chapter.standing),
        "holders": scene.holders.get(chapter.turn, ""),
        "stands": [list(stand) for stand in stands],
        "events": [list(event) for event in scene.events.get(chapter.turn, ())],
    }
