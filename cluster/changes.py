"""What makes an experiment another one: the keys in which it differs from those of its name in an archive."""

import json
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cluster.experiment import Source
from cluster.layout import MANIFEST, PLAN
from cluster.plan import Plan
from cluster.store import Store
from queries.catalog import FOLDER
from queries.files import StoreError

SETTINGS = ("seed", "label", "record", "sample", "common_random_numbers")
"""Keys that are compared as they were planned: a night has a seed and a label that are not those of its file."""


class Nearest(NamedTuple):
    """The experiment of the same name that differs least, and the keys in which it does."""

    store: Store
    keys: list[str]


def nearest(archive: Store, source: Source, plan: Plan) -> Nearest | None:
    """The experiment in an archive that has the same name and differs least; None if there is none of that name."""
    found = [
        Nearest(archive.at(folder), differences(archive.at(folder), source, plan))
        for folder in archive.names()
        if (match := FOLDER.fullmatch(folder)) and match["name"] == plan.name and archive.exists(f"{folder}/{MANIFEST}")
    ]
    return min(found, key=lambda near: len(near.keys), default=None)


def differences(store: Store, source: Source, plan: Plan) -> list[str]:
    """Keys in which a plan differs from a stored experiment: of the file, else what the file only names.

    Keys that have no part in what is played, as ``until`` and ``night``, are none of these.
    """
    try:
        given = tomllib.loads(store.read("experiment.toml").decode())
        stored = Plan.model_validate(json.loads(store.read(PLAN))).model_dump(mode="json")
    except StoreError:
        raise
    except (OSError, ValueError, RecursionError) as error:  # that of a plan which is none is one, too
        return [f"(it is damaged: {str(error).splitlines()[0]})"]
    planned = plan.model_dump(mode="json")
    keys = [name for name in SETTINGS if stored[name] != planned[name]]
    played = _differing(_played(given), _played(tomllib.loads(source.text)))
    keys += played or _differing(_named(stored["cells"]), _named(planned["cells"]))
    for name in ("schema_version", "rulebooks", "code"):
        if stored[name] != planned[name]:
            keys.append("code (sim/ has changed)" if name == "code" else name)
    return keys or ["how the plan is made"]


def _played(document: dict[str, Any]) -> dict[str, Any]:
    """Dotted paths and values of what an experiment file says is played, and by whom."""
    return dict(_flat({key: value for key, value in document.items() if key in ("policies", "play")}))


def _differing(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    return [key for key in {**before, **after} if before.get(key) != after.get(key)]


def _flat(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted paths and values of a document."""
    entries = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in entries:
        below = f"{path}.{key}" if path else str(key)
        # A list of values is compared as a whole; tables and lists of tables key by key.
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(entry, dict) for entry in value)):
            yield from _flat(value, below)
        else:
            yield below, value


def _named(cells: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """Things that a file only names, with the hashes of what they stand for."""
    named: dict[str, set[str]] = {}
    for cell in cells:
        inputs = cell["inputs"]
        for name, key in (
            (f"scenario {cell['scenario']}", inputs["scenario"]),
            (f"map of {cell['scenario']}", inputs["map"]),
            (f"rules of {cell['rulebook']}", inputs["rules"]),
            (f"policy {cell['red_policy']}", inputs["red"]),
            (f"policy {cell['blue_policy']}", inputs["blue"]),
        ):
            named.setdefault(name, set()).add(key)
    return named
