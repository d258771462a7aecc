"""What a rulebook must have to be played, archived and asked: checked when it is first loaded (`sim/README.md`)."""

import re
from collections.abc import Iterator
from typing import Any

from sim.fields import COMMON, FAULT, PLACE_NAMES, RESULT, UNIT_NAMES, Field, Tables
from sim.game import BLUE, RED, SIDES, Policy, Rulebook

ARCHIVE_TYPES = ("bool", "name", "", "float64", "int8", "int16", "int32", "int64")
KEYS = {"experiment", "rulebook", "cell", "replication", "scenario", "red_policy", "blue_policy", "seq"}
"""Columns that the archive adds."""
STATE = ("turn", "units", "places", "sides")
"""Members of a state that `sim.game.at_turn` writes."""
BEFORE_DECISIONS = 8
"""Arguments of a kernel before the decisions."""


def flaw_of(name: str, book: Rulebook) -> str | None:
    """The first thing that is missing or wrong in a rulebook that is registered under a name, in one line, or None."""
    return next(_flaws(name, book), None)


def _flaws(name: str, book: Rulebook) -> Iterator[str]:
    if book.name != name:
        yield f"name is {book.name!r}: use {name!r}, as in sim.RULEBOOKS"
    for key in ("version", "title"):
        if not getattr(book, key):
            yield f"{key} is empty"
    if book.cost <= 0:
        yield f"cost is {book.cost:g}: use the seconds that a game takes"
    for table in Tables._fields:
        yield from _flaws_of_fields(table, getattr(book.tables, table))
    yield from _flaws_of_tables(book.tables)
    yield from _flaws_of_names(book)
    for side in (RED, BLUE):
        if not any(policy.side in (side, None) for policy in book.policies):
            yield f"policies: there is none for {SIDES[side]}"
    for policy in book.policies:
        yield from _flaws_of_policy(book, policy)
    yield from _flaws_of_kernel(book)


def _flaws_of_fields(table: str, fields: tuple[Field, ...]) -> Iterator[str]:
    common = {field.name: field.archive for field in getattr(COMMON, table)}
    seen: set[str] = set()
    for field in fields:
        where = f"tables.{table}.{field.name}"
        if field.name in seen:
            yield f"{where} is there twice"
        seen.add(field.name)
        if field.name in KEYS or (field.name == "turn" and field.archive):
            yield f"{where} is a column that the archive adds: use another name"
        if field.archive not in ARCHIVE_TYPES:
            yield f"{where}: archive is {field.archive!r}: use one of {', '.join(map(repr, ARCHIVE_TYPES))}"
        if field.archive and field.archive != common.get(field.name, field.archive):
            yield f"{where}: archive is {field.archive!r}: use {common[field.name]!r}, as all rulebooks"
        if not field.meaning:
            yield f"{where} has no meaning"
        known = field.names in (UNIT_NAMES, PLACE_NAMES) if isinstance(field.names, str) else field.names
        if field.archive == "name" and not known:
            yield f"{where} has no names"


def _flaws_of_tables(tables: Tables) -> Iterator[str]:
    have = {table: {field.name: field for field in getattr(tables, table)} for table in Tables._fields}
    needed = {
        "games": [field.name for field in (*RESULT, *FAULT)],
        "places": [field.name for field in COMMON.places],
        "events": ["turn", "kind", "side", "actor"],
    }
    if "territory" in have["sides"]:
        needed["games"] += [f"{side}_territory" for side in SIDES]
    for table, names in needed.items():
        for name in names:
            if name not in have[table]:
                yield f"tables.{table} has no field {name!r}"
    games = have["games"]
    if tuple(games["winner"].names) != (*SIDES, "draw"):
        yield "tables.games.winner: names are not red, blue, draw"
    if "failed" not in games["end_reason"].names:
        yield "tables.games.end_reason: names have no 'failed', the end of a game with a fault"
    if games["fault"].empty != 0 or games["fault"].names[0] != "none":
        yield "tables.games.fault: names do not begin with 'none', or empty is not 0"


def _flaws_of_names(book: Rulebook) -> Iterator[str]:
    units = {field.name for field in book.tables.units}
    if ("side" in units) == (book.unit_side is not None):
        yield "unit_side: units have either a field 'side' or are all of the side unit_side"
    if bool({"kind", "nation"} & units) == bool(book.unit_kind):
        yield "unit_kind: units have either a field 'kind' or 'nation', or are all what unit_kind says"
    for pattern in book.place_kinds:
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"place_kinds: {pattern!r} is no regular expression: {error}"
    if list(book.place_kinds)[-1:] != [".*"]:
        yield "place_kinds: the last pattern is not '.*', which any place matches"


def _flaws_of_policy(book: Rulebook, policy: Policy) -> Iterator[str]:
    where = f"policy {policy.name}"
    for side in (RED, BLUE) if policy.side is None else (policy.side,):
        if len(policy.decisions) != len(book.decisions[side]):
            wanted = ", ".join(book.decisions[side]) or "none"
            yield f"{where} has {len(policy.decisions)} decisions for {SIDES[side]}: use {wanted}"
    if not policy.summary:
        yield f"{where} has no summary"
    if policy.cost < 1:
        yield f"{where}: cost is {policy.cost:g}: use a multiple of the cheapest policy's, from 1"
    for field in policy.doctrine:
        if not field.allows(field.default):
            yield f"{where}: the default of {field.name} is not within its bounds"
        if not field.meaning:
            yield f"{where}: {field.name} has no meaning"


def _flaws_of_kernel(book: Rulebook) -> Iterator[str]:
    arguments = book.kernel_signature.args
    setup: Any = arguments[0]
    members: dict[str, Any] = dict(zip(getattr(setup, "fields", ()), getattr(setup, "types", ()), strict=False))
    if "state" not in members:
        yield "kernel_signature: the setup has no member 'state', where a game goes on from (sim.game.at_turn)"
    else:
        for name in STATE:
            if name not in members["state"].dtype.fields:
                yield f"kernel_signature: the state has no member {name!r} (sim.game.at_turn)"
    decisions = sum(getattr(argument, "count", 1) for argument in arguments[BEFORE_DECISIONS:])
    wanted = sum(map(len, book.decisions))
    if decisions != wanted:
        yield f"kernel_signature takes {decisions} decisions: use {wanted}, red's and blue's"
