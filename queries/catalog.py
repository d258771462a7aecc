"""What an archive holds: its experiments, how complete each is, and which files a reader takes."""

import bisect
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from queries.documents import EARLY_ROUND, MANIFEST, PLAN, ROUND, must_be, read
from queries.files import LocalFiles, RemoteFiles, StoreError, bad, files_of, without_credentials

SCHEMA_VERSION = 1
"""Version of everything that an archive written now holds."""
SCHEMA_VERSIONS = (1,)
"""Versions of the archive that the views read: every one ever released."""

TABLES = ("games", "turns", "units", "territory", "events")
"""Tables of games. A shard is finished when its file of ``games`` is there: that is published last."""
PUBLISHED = (*TABLES[1:], "games")
"""The same in the order in which they are published."""

FOLDER = re.compile(r"experiment=(?P<key>(?P<name>[a-z][a-z0-9_-]*)-(?P<id>[0-9a-f]{8}))")
SHARDS = re.compile(r"rulebook=[a-z0-9_]+/\d+/shards-(?P<first>\d+)-(?P<last>\d+)\.parquet")


class Shards(NamedTuple):
    """A file's run of consecutive shards, ``first`` to ``last``; ``path`` is the same below each table's folder."""

    first: int
    last: int
    path: str


class Experiment(NamedTuple):
    """An experiment of an archive. ``key`` is its name and the first digits of its id, ``folder`` where it lies.

    ``games_planned`` counts the games of all rounds, ``more`` says that another may follow. ``tables`` holds for each
    table the paths of the files to read: those of finished shards, each shard once. ``cells`` are the plan's, and
    ``foreign`` are files that no experiment has.
    """

    key: str
    name: str
    folder: str
    manifest: dict[str, Any]
    record: str
    sample: dict[str, Any] | None
    games_planned: int
    more: bool
    tables: dict[str, tuple[str, ...]]
    cells: tuple[dict[str, Any], ...]
    foreign: tuple[str, ...]


def experiments_of(path: str, wanted: Sequence[str] = ()) -> tuple[LocalFiles | RemoteFiles, list[str]]:
    """Access to an archive's files and the folders of its experiments, in order.

    ``path`` is the archive, or the folder of one experiment. ``wanted`` keeps to experiments of these names or keys.
    Raises `BadInput` where there is no archive or no such experiment.
    """
    if not path:
        raise bad("is empty: use a folder or s3://bucket/prefix", "the archive's name")
    files = _files(path)
    try:
        folders = files.folders()
        own = _own_folder(files, folders)
        if own:
            files = _files(own.above)
            folders = [name for name in files.folders() if name == own.name]
    except (FileNotFoundError, NotADirectoryError):
        raise bad("there is no such archive", path) from None
    except StoreError:
        raise
    except OSError as error:
        raise bad(f"cannot be read: {error.strerror or error}", path) from None
    matches = [found for folder in folders if (found := FOLDER.fullmatch(folder))]
    if not matches and files.exists("manifest.json"):
        raise bad("is an experiment under another name: its folder must be called experiment=..., as it was", path)
    known = {found["key"]: found["name"] for found in matches}
    for name in wanted:
        if name not in known and name not in known.values():
            raise bad(f"has no experiment {name!r}", path, [*dict.fromkeys(known.values()), *known], name)
    return files, [found[0] for found in matches if not wanted or {found["key"], found["name"]} & set(wanted)]


def _files(path: str) -> LocalFiles | RemoteFiles:
    try:
        return files_of(path)
    except (ImportError, ValueError) as unknown:  # an address that cannot be one, or what it takes is not installed
        raise bad(f"cannot be opened: {unknown}", without_credentials(path)) from None


class _Own(NamedTuple):
    name: str
    above: str


def _own_folder(files: LocalFiles | RemoteFiles, folders: Sequence[str]) -> _Own | None:
    """The name of a folder that is an experiment, and where that lies; by its own name, or what a link to it leads to.

    An archive, too, may be called like an experiment.
    """
    if any(map(FOLDER.fullmatch, folders)) and not files.exists("manifest.json"):
        return None
    for place in (files.given, files.root):
        above, _, name = place.rpartition("/")
        if FOLDER.fullmatch(name):
            return _Own(name, above or "/")
    return None


def experiment_in(files: LocalFiles | RemoteFiles, folder: str) -> Experiment | None:
    """An experiment by its folder; None if it has no manifest, for that is written last when a run begins.

    Raises `BadInput` if what describes the experiment is missing or damaged.
    """
    found = FOLDER.fullmatch(folder)
    if found is None or not files.exists(f"{folder}/manifest.json"):
        return None
    manifest = read(files, f"{folder}/manifest.json", MANIFEST)
    plan = read(files, f"{folder}/inputs/plan.json", PLAN)
    planned = [plan["replications"]] * len(plan["cells"])
    for path in sorted(files.below(f"{folder}/rounds"), key=lambda path: (len(path), path)):
        if path.endswith(".json"):
            _add(planned, read(files, path, {}), files.address(path))
    inner = {
        table: [path.removeprefix(f"{folder}/{table}/") for path in files.below(f"{folder}/{table}")]
        for table in TABLES
    }
    chosen = {run.path for run in choose(runs_of(inner["games"]))}
    return Experiment(
        key=found["key"],
        name=found["name"],
        folder=folder,
        manifest=manifest,
        record=plan["record"],
        sample=plan.get("sample"),
        games_planned=sum(planned),
        more=bool(manifest.get("until")) and not manifest.get("complete"),
        tables={
            "cells": (f"{folder}/cells.parquet",),
            **{t: tuple(f"{folder}/{t}/{path}" for path in inner[t] if path in chosen) for t in TABLES},
        },
        cells=tuple(plan["cells"]),
        foreign=tuple(
            f"{folder}/{table}/{path}"
            for table in TABLES
            for path in inner[table]
            if path.endswith(".parquet") and not SHARDS.fullmatch(path)
        ),
    )


class Added(NamedTuple):
    """What a round adds to some consecutive cells: replications ``first`` to ``end`` - 1 of each."""

    cells: range
    first: int
    end: int


def added_by(document: dict[str, Any], cells: int, where: str = "the file of a round") -> list[Added]:
    """What a round adds, by its file; early ones added the same replications to all ``cells``.

    Raises `BadInput` that names the file, ``where``, if it is damaged.
    """
    if "added" not in must_be(document, {}, where):
        must_be(document, EARLY_ROUND, where)
        found = [Added(range(cells), document["first"], document["end"])]
    else:
        must_be(document, ROUND, where)
        found = [
            Added(range(it["first_cell"], it["last_cell"] + 1), it["first"], it["end"]) for it in document["added"]
        ]
    if any(not it.cells or it.cells[-1] >= cells or it.end <= it.first for it in found):
        raise bad("is damaged: it adds no games, or games of cells that the plan has not", where)
    return found


def _add(planned: list[int], document: dict[str, Any], where: str) -> None:
    """Adds a round's games to those planned of each cell."""
    for added in added_by(document, len(planned), where):
        for cell in added.cells:
            if planned[cell] != added.first:
                message = "does not go on where the plan or the round before ends: one of these files is damaged"
                raise bad(message, where)
            planned[cell] = added.end


def runs_of(paths: Iterable[str]) -> list[Shards]:
    """The runs of shards that files of a table have, by their paths below the table's folder."""
    found = (SHARDS.fullmatch(path) for path in paths)
    return [Shards(int(name["first"]), int(name["last"]), name[0]) for name in found if name]


def choose(runs: Iterable[Shards]) -> tuple[Shards, ...]:
    """The runs to read: where two overlap the wider one, for a compaction publishes it before it takes the narrow."""
    taken: list[Shards] = []  # in order, none overlapping another: only its neighbours can overlap one more
    for run in sorted(runs, key=lambda run: (run.first - run.last, run.first)):
        place = bisect.bisect(taken, run.first, key=lambda other: other.first)
        ends_before = place == len(taken) or run.last < taken[place].first
        if ends_before and (place == 0 or taken[place - 1].last < run.first):
            taken.insert(place, run)
    return tuple(taken)
