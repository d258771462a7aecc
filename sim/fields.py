"""FIELDS tables: what a record holds, said once.

From one table of `Field` come the dtype of the state, the Arrow schema of the archive and the data dictionary.
In the state every field is 64 bits wide: in plain Python an int16 plus an int16 overflows where compiled code does
not. Fields are narrowed when the archive is written, and the archive's types never depend on a scenario or a value.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

UNIT_NAMES = "unit"
"""Stands in `Field.names` for the names of the scenario's units."""
PLACE_NAMES = "place"
"""Stands in `Field.names` for the names of the map's places."""


class Field(NamedTuple):
    """One field of a record.

    ``archive`` is the Arrow type in the archive: a number type, ``"bool"``, ``"name"`` for one of ``names``, or ``""``
    for a field that lives only within a turn and is not archived. A value equal to ``empty`` is null in the archive.
    ``unit`` is the unit of measure, ``""`` for a pure number or a name.
    """

    name: str
    archive: str
    meaning: str
    unit: str = ""
    empty: int | None = None
    names: tuple[str, ...] | str = ()
    state: str = "i8"


def record_dtype(fields: tuple[Field, ...]) -> np.dtype:
    """Aligned structured dtype of a record, one 64-bit member for each field."""
    return np.dtype([(field.name, field.state) for field in fields], align=True)


def numbered(names: Sequence[str] | int) -> list[np.int64]:
    """The numbers of names, 0 and up: what compiled code calls them by.

    They are int64 and not plain integers, for which Numba would compile every function that is handed one anew.
    """
    return list(np.arange(names if isinstance(names, int) else len(names), dtype=np.int64))


def layout(*members: tuple) -> np.dtype:
    """Aligned dtype of one large record of int64 arrays, from (name, shape, meaning[, FIELDS of a record]).

    Compiled code passes such a record around as one pointer, where a tuple of arrays costs a count of references for
    every array and call. The price is a capacity: shapes are part of the type. Arrays of it hold `np.record`, so that
    a copy that a policy makes has its members as attributes with the compiler off, too.
    """
    parts = [(name, record_dtype(*fields) if fields else "i8", shape) for name, shape, _, *fields in members]
    return np.dtype((np.record, np.dtype(parts, align=True)))


def records(fields: tuple[Field, ...], *shape: int) -> np.recarray:
    """Array of records of one shape, every field at its empty value (0 where it has none)."""
    rows = np.zeros(shape, record_dtype(fields)).view(np.recarray)
    for field in fields:
        if field.empty is not None:
            rows[field.name] = field.empty
    return rows


def unwritten(fields: tuple[Field, ...], *shape: int) -> np.recarray:
    """Array of records of one shape that still have to be written."""
    return np.empty(shape, record_dtype(fields)).view(np.recarray)


# Columns that every rulebook's tables have; a rulebook that has no such thing leaves them null. Its own fields come
# after these, and a field of its own by the same name fills the common column.
COMMON_GAMES = (
    Field("winner", "name", "side that won", names=("red", "blue", "draw"), empty=-1),
    Field("outcome", "name", "level of victory, in the rulebook's words", names=(), empty=-1),
    Field("margin", "int32", "graded measure of the result, positive for blue", empty=-(2**31)),
    Field("turns", "int16", "number of the turn with which the game was over", "turn"),
    Field("end_reason", "name", "why the game ended", names=(), empty=-1),
    *(
        Field(f"{side}_{what}", "int32", f"{meaning} of {side}", unit, empty=-1)
        for side in ("red", "blue")
        for what, meaning, unit in (
            ("men_start", "men at the start and in reserve", "man"),
            ("men_lost", "men dead or wounded at the end", "man"),
            ("armour_start", "armoured vehicles at the start and in reserve", "vehicle"),
            ("armour_lost", "armoured vehicles destroyed", "vehicle"),
            ("territory", "places held at the end", "place"),
        )
    ),
)
RESULT = COMMON_GAMES[:5]
"""The result of a game: what every rulebook's ``games`` has to say in words of its own (`result_fields`)."""


FAULT = (
    Field("fault", "name", "what a policy got wrong", names=("none",), empty=0),
    Field("fault_turn", "int16", "turn of the fault", "turn", empty=0),
    Field("fault_value", "int64", "value that was wrong", empty=-(2**63)),
)
"""What a policy got wrong, which every rulebook's ``games`` has, too (`fault_fields`)."""


def result_fields(outcomes: tuple[str, ...], end_reasons: tuple[str, ...], margin: str, unit: str) -> tuple[Field, ...]:
    """Fields of the result of a game: its levels of victory, from the best for red on, why it ends, and what its
    margin means. The last reason is ``"failed"``, of a game that could not go on.
    """
    own = {
        "outcome": {"names": outcomes},
        "end_reason": {"names": end_reasons},
        "margin": {"meaning": margin, "unit": unit},
    }
    return tuple(field._replace(**own.get(field.name, {})) for field in RESULT)


def fault_fields(faults: tuple[str, ...]) -> tuple[Field, ...]:
    """Fields of ``games`` that say what a policy got wrong: one of the faults, of which the first is ``"none"``."""
    return tuple(field._replace(names=faults) if field.name == "fault" else field for field in FAULT)


COMMON_SIDES = (
    Field("men_able", "int32", "men able to fight", "man", empty=-1),
    Field("dead", "int32", "men dead so far", "man", empty=-1),
    Field("wounded", "int32", "men wounded so far", "man", empty=-1),
    Field("armour_able", "int32", "armoured vehicles able to fight", "vehicle", empty=-1),
    Field("armour_lost", "int32", "armoured vehicles lost so far", "vehicle", empty=-1),
    Field("ammunition", "int32", "ammunition left", "issue", empty=-1),
    Field("territory", "int32", "places held", "place", empty=-1),
    Field("points", "int32", "victory points", "point", empty=-1),
)
COMMON_PLACES = (Field("holder", "name", "side that holds the place", names=("red", "blue"), empty=-1),)
COMMON_EVENTS = (
    Field("kind", "name", "what happened", names=()),
    Field("side", "name", "side that acts", names=("red", "blue"), empty=-1),
    Field("actor", "name", "unit that acts", names=UNIT_NAMES, empty=-1),
    Field("target", "name", "unit acted upon", names=UNIT_NAMES, empty=-1),
    Field("weapon", "name", "weapon used", names=(), empty=-1),
    Field("mode", "name", "mode of fire or movement", names=(), empty=-1),
    Field("range_m", "int32", "distance to the target", "m", empty=-1),
    Field("facing", "name", "facing of the target", names=(), empty=-1),
    Field("value", "float64", "level or value that decided", empty=-1),
    Field("dice", "int8", "pips of the die that decided", "pip", empty=-1),
    Field("result", "name", "what came of it", names=(), empty=-1),
    Field("losses", "int32", "what the target lost", empty=-1),
)


class Tables(NamedTuple):
    """The FIELDS tables of one rulebook. Sides go to the archive's table ``turns``, places to ``territory``."""

    games: tuple[Field, ...]
    sides: tuple[Field, ...]
    units: tuple[Field, ...]
    places: tuple[Field, ...]
    events: tuple[Field, ...]


def merged(common: tuple[Field, ...], own: tuple[Field, ...]) -> tuple[Field, ...]:
    """Fields of an archived table: the common ones, each replaced by the rulebook's own of that name, then the rest."""
    mine = {field.name: field for field in own}
    shared = {field.name for field in common}
    return tuple(mine.get(field.name, field) for field in common) + tuple(f for f in own if f.name not in shared)


COMMON = Tables(COMMON_GAMES, COMMON_SIDES, (), COMMON_PLACES, COMMON_EVENTS)
"""What `Tables` of any rulebook have in common."""
