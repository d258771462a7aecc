"""Games told in sentences: by a rulebook's own module here, of its name and with a function ``tell``, else plainly."""

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Row = Mapping[str, Any]
"""A row of an archive's table: names as text, null as None."""


class Story(NamedTuple):
    """One game as rows of the archive's tables, and the names that the tables lack.

    ``sides`` are the display names by ``red`` and ``blue``; ``turn_names`` are those of the calendar, turn t in
    place t - 1. ``turns``, ``units``, ``territory`` and ``events`` are the rows of this game alone, in the archive's
    order. ``board`` is the map as read from its file.
    """

    sides: Mapping[str, str]
    turn_names: Sequence[str]
    game: Row
    turns: Sequence[Row]
    units: Sequence[Row]
    territory: Sequence[Row]
    events: Sequence[Row]
    board: Row = {}


class Section(NamedTuple):
    """What happened in one phase of a turn, in sentences."""

    title: str
    lines: tuple[str, ...]


class Chapter(NamedTuple):
    """One turn: its sections, and how things stand when it is over."""

    turn: int
    title: str
    sections: tuple[Section, ...]
    standing: tuple[str, ...]


def tell(rulebook: str, story: Story) -> tuple[list[Chapter], str]:
    """The chapters of a game, from the set-up on, and its outcome in a sentence."""
    own = f"queries.tell.{rulebook}"
    return importlib.import_module(own if importlib.util.find_spec(own) else "queries.tell.plain").tell(story)


def listed(names: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def counted(number: int, thing: str) -> str:
    """'1 unit', '2 units'."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
