"""What an archive stores of an experiment besides its games: inputs, plan, cells, rounds and manifest."""

import importlib.metadata
import io
import json
import os
import shlex
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from cluster import RunFailed
from cluster.layout import MANIFEST, PLAN, check_archive, done, experiment_folder, games_files, input_file, round_file
from cluster.parquet import sha256, write_cells
from cluster.plan import SCHEMA_VERSION, Plan, Round, Shard, canonical, count_shards, first_round, hash_of, shards_of
from cluster.store import Store
from cluster.until import Until
from queries.catalog import Added, added_by
from queries.files import StoreError
from sim.rules_file import BadInput, check

READERS = 32
"""Files that are read at once for their digests: from a store far away each takes as long as the store's answer."""
READ_AHEAD = 1_000
"""Files that are given to the readers together: of a million files not all are kept waiting."""


class Stored(NamedTuple):
    """An experiment in an archive: where it is kept, its manifest, plan, inputs and rounds."""

    store: Store
    manifest: dict[str, Any]
    plan: Plan
    inputs: dict[str, Any]
    rounds: tuple[Round, ...]

    @property
    def until(self) -> Until | None:
        """Until when rounds are added, as the latest run was told; None if none are."""
        asked = self.manifest.get("until")
        return check(Until, asked, f"{self.store}/{MANIFEST}") if asked else None

    @property
    def replications(self) -> tuple[int, ...]:
        """Replications of each cell, all rounds together."""
        return self.rounds[-1].end

    def shards(self) -> Iterator[Shard]:
        """All shards, of all rounds."""
        return shards_of(self.plan, self.rounds)


def open_experiment(store: Store) -> Stored:
    """An experiment as it is stored. Raises `BadInput` if there is none, `RunFailed` if it is damaged."""
    if not store.exists(MANIFEST):
        raise BadInput(f"is no experiment: it has no {MANIFEST}", file=str(store))
    manifest = _json(store, MANIFEST)
    if manifest.get("schema_version") != SCHEMA_VERSION:
        message = f"was written by another version of Duosuan ({manifest.get('duosuan')})"
        raise BadInput(message, file=f"{store}/{MANIFEST}")
    try:
        plan = check(Plan, _json(store, PLAN), f"{store}/{PLAN}")
    except BadInput as error:
        raise RunFailed(f"{error}: the file is damaged") from None
    if plan.id != manifest["id"]:
        raise RunFailed(f"{store}/{PLAN}: is not the plan of this experiment: the file is damaged")
    names = sorted({name for cell in plan.cells for name in cell.inputs.model_dump().values()})
    inputs = {name: _json(store, input_file(name)) for name in names}
    for name, document in inputs.items():
        if not name.endswith(hash_of(document)[:16]):
            raise RunFailed(f"{store}/{input_file(name)}: does not have the hash in its name: the file is damaged")
    return Stored(store, manifest, plan, inputs, _rounds(store, plan))


def _json(store: Store, path: str) -> dict[str, Any]:
    try:
        return json.loads(store.read(path))
    except FileNotFoundError:
        raise RunFailed(f"{store}/{path}: is missing") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise RunFailed(f"{store}/{path}: is damaged: {error}") from None


def _rounds(store: Store, plan: Plan) -> tuple[Round, ...]:
    rounds = [first_round(plan)]
    while store.exists(file := round_file(len(rounds))):
        before = rounds[-1].end
        end = list(before)
        for added in added_by(_json(store, file), len(before), f"{store}/{file}"):
            for cell in added.cells:
                if added.first != end[cell]:
                    raise RunFailed(f"{store}/{file}: does not go on where the round before ends: the file is damaged")
                end[cell] = added.end
        rounds.append(Round(before, tuple(end)))
    return tuple(rounds)


def _round_document(round_: Round, until: Until | None) -> dict[str, Any]:
    """What is stored of a round: why it was added, and the replications of cells; consecutive ones alike together."""
    added: list[Added] = []
    for cell, (first, end) in enumerate(zip(round_.first, round_.end, strict=True)):
        if end == first:
            continue
        if added and added[-1] == (range(added[-1].cells.start, cell), first, end):
            added[-1] = Added(range(added[-1].cells.start, cell + 1), first, end)
        else:
            added.append(Added(range(cell, cell + 1), first, end))
    return {
        "until": _until_document(until),
        "games": round_.games,
        "added": [
            {"first_cell": it.cells[0], "last_cell": it.cells[-1], "first": it.first, "end": it.end} for it in added
        ],
    }


def _until_document(until: Until | None) -> dict[str, Any] | None:
    return until.model_dump(mode="json", exclude_none=True) if until else None


@contextmanager
def writing(store: Store) -> Generator[None]:
    """Says of a failure to write where it was and what to do."""
    try:
        yield
    except OSError as error:
        raise RunFailed(f"{store}: {cannot_write(reason(error))}") from None


def reason(error: OSError) -> str:
    """What the system says is wrong, without what libraries add to it."""
    if isinstance(error, StoreError):
        return error.why
    return os.strerror(error.errno) if error.errno else str(error)


def cannot_write(why: str) -> str:
    """What is said of an archive that cannot be written."""
    return f"cannot be written: {why}; what is published stays"


def resume_command(store: Store) -> str:
    """The command that goes on with an experiment."""
    return shlex.join(["duosuan", "resume", str(store)])


def create(archive: Store, plan: Plan, inputs: Mapping[str, Any], text: str, until: Until | None = None) -> Stored:
    """Stores an experiment before its first game, or opens it if it is there.

    The manifest comes last: a folder without it is not an experiment yet. Two runs that start at once write the same
    bytes; of what may differ, replications and the time, those of the first stay.
    """
    check_archive(archive)
    store = archive.at(experiment_folder(plan))
    if not store.exists(MANIFEST):
        with writing(archive):
            for name, document in inputs.items():
                store.publish_text(input_file(name), canonical(document), "input")
            store.publish_text(PLAN, canonical(plan.model_dump(mode="json")), "plan", only_if_new=True)
            _publish_cells(store, plan)
            store.publish_text("experiment.toml", text, "experiment")
            store.publish_text(MANIFEST, _shown(_first_manifest(plan, until)), "manifest", only_if_new=True)
    stored = open_experiment(store)
    if stored.plan.id != plan.id:
        raise BadInput("is the folder of another experiment: use another archive", file=str(store))
    return stored


def _publish_cells(store: Store, plan: Plan) -> None:
    draft = store.draft("cells.parquet")
    write_cells(draft.temporary, plan)
    draft.publish("cells")


def _first_manifest(plan: Plan, until: Until | None) -> dict[str, Any]:
    return {
        "schema_version": plan.schema_version,
        "name": plan.name,
        "id": plan.id,
        "label": plan.label,
        "seed": plan.seed,
        "created": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "code": plan.code,
        "rulebooks": plan.rulebooks,
        "libraries": {name: _version(name) for name in ("duosuan", "numpy", "numba", "pyarrow")},
        "until": _until_document(until),
        **_counts(plan, (first_round(plan),)),
        "complete": False,
    }


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"  # run from a checkout


def _counts(plan: Plan, rounds: tuple[Round, ...]) -> dict[str, int]:
    return {
        "cells": len(plan.cells),
        "replications": max(rounds[-1].end),
        "games": sum(rounds[-1].end),
        "shards": count_shards(plan, rounds),
    }


def ask(stored: Stored, until: Until | None) -> Stored:
    """Says in the manifest until when rounds are added, if that has changed."""
    if stored.until == until:
        return stored
    with writing(stored.store):
        _publish_manifest(stored, {"until": _until_document(until)}, games_change=False)
    return open_experiment(stored.store)


def extend(stored: Stored, replications: int) -> Stored:
    """Adds a round if a cell has fewer replications than that. Raises `BadInput` if more are there than are asked for,
    unless rounds are added anyway.
    """
    most = max(stored.replications)
    if replications < most and not stored.until:
        message = f"{replications} is less than the {most} that {stored.store} has already"
        raise BadInput(f"{message}: give the experiment a label to start afresh", key="replications")
    while replications > min(stored.replications):
        stored = add_round(stored, tuple(max(have, replications) for have in stored.replications), None)
    return stored


def add_round(stored: Stored, end: tuple[int, ...], until: Until | None) -> Stored:
    """Stores a round after which each cell has ``end`` replications, before it is played.

    If another run adds one at the same time, the first stays.
    """
    document = _round_document(Round(stored.replications, end), until)
    with writing(stored.store):
        stored.store.publish_text(round_file(len(stored.rounds)), _shown(document), "round", only_if_new=True)
    return open_experiment(stored.store)


def begin(stored: Stored) -> None:
    """Says in the manifest that there is something to play."""
    news = {**_counts(stored.plan, stored.rounds), "complete": False}
    if not news.items() <= stored.manifest.items():
        with writing(stored.store):
            _publish_manifest(stored, news)


def all_done(stored: Stored) -> bool:
    """Whether every shard of all rounds is done."""
    there = done(stored.store)
    return all(shard.number in there for shard in stored.shards())


def finish(stored: Stored) -> None:
    """Writes the digests of all games files into the manifest: every shard is done, and no round follows."""
    with writing(stored.store):
        digests = digests_of(stored.store)
        counts = _counts(stored.plan, stored.rounds)
        _publish_manifest(stored, {**counts, "complete": True, "digest": hash_of(digests), "digests": digests})


def note_digests(stored: Stored) -> Stored:
    """Writes the digests of the games files that are there now into the manifest of a complete experiment."""
    known = stored.manifest["digests"]
    if list(known) == ["cells.parquet", *games_files(stored.store)]:
        return stored
    digests = digests_of(stored.store, known)
    _publish_manifest(stored, {"digest": hash_of(digests), "digests": digests})
    return open_experiment(stored.store)


def _publish_manifest(stored: Stored, news: Mapping[str, Any], games_change: bool = True) -> None:
    # What depends on the games goes when games are added.
    gone = ("digest", "digests") if games_change else ()
    kept = {key: value for key, value in stored.manifest.items() if key not in gone}
    stored.store.publish_text(MANIFEST, _shown({**kept, **news}), "manifest")


def digests_of(store: Store, known: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """SHA-256 of the cells and of every games file, which in turn has those of its siblings, by path.

    Files whose digest is ``known`` are not read.
    """
    paths = ("cells.parquet", *games_files(store))

    def digest(path: str) -> str:
        with store.open(path) as file:
            return sha256(file)

    digests = dict(known)
    missing = [path for path in paths if path not in known]
    with ThreadPoolExecutor(READERS) as readers:
        for start in range(0, len(missing), READ_AHEAD):
            some = missing[start : start + READ_AHEAD]
            digests.update(zip(some, readers.map(digest, some), strict=True))
    return {path: digests[path] for path in paths}


def _shown(document: Mapping[str, Any]) -> str:
    text = io.StringIO()
    json.dump(document, text, indent=2, ensure_ascii=False)  # `dumps` would keep every digest's pieces at once
    text.write("\n")
    return text.getvalue()
