"""What describes an experiment, as JSON: read, and checked as far as a reader goes by it."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from queries.files import LocalFiles, RemoteFiles, bad

MOST = 2**31 - 1
"""Replications and cells are numbered with 32 bits in the tables."""
HASHED = re.compile(r".*-([0-9a-f]{16})")
"""Names of inputs end with the beginning of their hash."""


class Maybe:
    """A key that may be missing or null."""

    def __init__(self, shape: "Shape") -> None:
        self.shape = shape


Shape = Callable[[Any], bool] | Mapping[str, Any] | Maybe
"""What a value must be: what a test says, or an object with these keys and any others."""


def is_text(value: Any) -> bool:
    """Whether a value is a text that can be written."""
    return isinstance(value, str) and not re.search(r"[\ud800-\udfff]", value)


def is_count(value: Any) -> bool:
    """Whether a value is a number of games, cells or replications, or of one of them."""
    return _is_whole(value) and 0 <= value <= MOST


def is_seed(value: Any) -> bool:
    """Whether a value is a seed."""
    return _is_whole(value) and 0 <= value < 2**64


def is_level(value: Any) -> bool:
    """Whether a value says how much of a game is recorded."""
    return value in ("games", "turns", "units", "events")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_cells(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST and all(what_is_wrong(cell, CELL) is None for cell in value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_text, (*value, *value.values())))


def _are_added(value: Any) -> bool:
    return isinstance(value, list) and all(what_is_wrong(added, ADDED) is None for added in value)


MANIFEST: Shape = {
    "id": is_text,
    "label": is_text,
    "created": is_text,
    "seed": is_seed,
    "code": is_text,
    "libraries": lambda value: _are_texts(value) and "duosuan" in value,
    "rulebooks": Maybe(_are_texts),
    "until": Maybe(lambda value: isinstance(value, dict)),
    "complete": Maybe(lambda value: isinstance(value, bool)),
    "digests": Maybe(_are_texts),
}
CELL: Shape = {
    "number": is_count,
    **dict.fromkeys(("content", "rulebook", "scenario", "red_policy", "blue_policy"), is_text),
    "seed": is_seed,
    "factors": lambda value: isinstance(value, dict),
    "inputs": Maybe(_are_texts),
}
PLAN: Shape = {
    "replications": is_count,
    "record": is_level,
    "sample": Maybe({"level": is_level, "every": lambda value: is_count(value) and value > 0}),
    "cells": _is_cells,
}
ADDED: Shape = dict.fromkeys(("first_cell", "last_cell", "first", "end"), is_count)
ROUND: Shape = {"added": _are_added}
EARLY_ROUND: Shape = {"first": is_count, "end": is_count}
ABOUT: Shape = {
    "experiment": is_text,
    "schema_version": is_count,
    "failed": is_count,
    "siblings": lambda value: (
        isinstance(value, dict)
        and all(what_is_wrong(sibling, {"sha256": is_text}) is None for sibling in value.values())
    ),
}
"""What a file of ``games`` says of itself."""


def must_be(document: Any, shape: Shape, where: str) -> dict[str, Any]:
    """The document. Raises `BadInput` that names the first key that is missing or wrong."""
    wrong = what_is_wrong(document, shape)
    if wrong is not None:
        raise bad(f"is damaged: {wrong}", where)
    return document


def what_is_wrong(value: Any, shape: Shape, key: str = "") -> str | None:
    """The first key that is missing or wrong, in words; None if none is."""
    if isinstance(shape, Maybe):
        return None if value is None else what_is_wrong(value, shape.shape, key)
    if callable(shape):
        return None if shape(value) else f"{key} is missing or wrong"
    if not isinstance(value, dict):
        return f"{key} is no object" if key else "it is no object"
    above = f"{key}." if key else ""
    return next(
        filter(None, (what_is_wrong(value.get(name), inner, above + name) for name, inner in shape.items())), None
    )


def read(files: LocalFiles | RemoteFiles, path: str, shape: Shape) -> dict[str, Any]:
    """A document. Raises `BadInput` if it is missing or damaged."""
    where = files.address(path)
    try:
        document = json.loads(files.read(path))
    except FileNotFoundError:
        raise bad("is missing: this is no whole experiment", where) from None
    except (ValueError, RecursionError):
        raise bad("is damaged: it is no valid JSON", where) from None
    return must_be(document, shape, where)


def stored(files: LocalFiles | RemoteFiles, folder: str, name: str) -> dict[str, Any] | None:
    """A document that an experiment was made of, from its ``inputs/``; None if it is not there."""
    path = f"{folder}/inputs/{name}.json"
    if not files.exists(path):
        return None
    hashed = HASHED.fullmatch(name)
    if hashed and not hashlib.sha256(files.read(path)).hexdigest().startswith(hashed[1]):
        raise bad("is damaged: it does not have the hash in its name", files.address(path))
    return read(files, path, PLAN if name == "plan" else {})
