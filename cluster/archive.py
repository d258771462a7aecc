"""What an archive stores of an experiment besides its games: inputs, plan, cells, rounds and manifest."""

import importlib.metadata
import json
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from cluster import RunFailed
from cluster.layout import MANIFEST, PLAN, check_archive, done, experiment_folder, games_files, input_file, round_file
from cluster.parquet import sha256, write_cells
from cluster.plan import SCHEMA_VERSION, Plan, Round, Shard, canonical, hash_of, shards_of
from cluster.store import Store
from queries.files import StoreError
from sim.rules_file import BadInput, check


class Stored(NamedTuple):
    """An experiment in an archive: where it is kept, its manifest, plan, inputs and rounds."""

    store: Store
    manifest: dict[str, Any]
    plan: Plan
    inputs: dict[str, Any]
    rounds: tuple[Round, ...]

    @property
    def replications(self) -> int:
        """Replications of every cell, all rounds together."""
        return self.rounds[-1].end

    def shards(self) -> list[Shard]:
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
    rounds = [Round(0, plan.replications)]
    while store.exists(file := round_file(len(rounds))):
        stored = _json(store, file)
        rounds.append(Round(stored["first"], stored["end"]))
        if rounds[-1].first != rounds[-2].end or rounds[-1].end <= rounds[-1].first:
            raise RunFailed(f"{store}/{file}: does not go on where the round before ends: the file is damaged")
    return tuple(rounds)


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


def create(archive: Store, plan: Plan, inputs: Mapping[str, Any], text: str) -> Stored:
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
            store.publish_text(MANIFEST, _shown(_first_manifest(plan)), "manifest", only_if_new=True)
    stored = open_experiment(store)
    if stored.plan.id != plan.id:
        raise BadInput("is the folder of another experiment: use another archive", file=str(store))
    return stored


def _publish_cells(store: Store, plan: Plan) -> None:
    draft = store.draft("cells.parquet")
    write_cells(draft.temporary, plan)
    draft.publish("cells")


def _first_manifest(plan: Plan) -> dict[str, Any]:
    return {
        "schema_version": plan.schema_version,
        "name": plan.name,
        "id": plan.id,
        "label": plan.label,
        "seed": plan.seed,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "code": plan.code,
        "rulebooks": plan.rulebooks,
        "libraries": {name: _version(name) for name in ("duosuan", "numpy", "numba", "pyarrow")},
        **_counts(plan, (Round(0, plan.replications),)),
        "complete": False,
    }


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"  # run from a checkout


def _counts(plan: Plan, rounds: tuple[Round, ...]) -> dict[str, int]:
    n = rounds[-1].end
    return {
        "cells": len(plan.cells),
        "replications": n,
        "games": n * len(plan.cells),
        "shards": len(shards_of(plan, rounds)),
    }


def extend(stored: Stored, replications: int) -> Stored:
    """Adds a round of games: every cell gets so many replications in all. Raises `BadInput` if it has more already.

    The round is stored before it is played. If another run adds one at the same time, the first stays.
    """
    while replications != stored.replications:
        if replications < stored.replications:
            message = f"{replications} is less than the {stored.replications} that {stored.store} has already"
            raise BadInput(f"{message}: give the experiment a label to start afresh", key="replications")
        round_ = {"first": stored.replications, "end": replications}
        with writing(stored.store):
            stored.store.publish_text(round_file(len(stored.rounds)), _shown(round_), "round", only_if_new=True)
        stored = open_experiment(stored.store)
    return stored


def begin(stored: Stored) -> None:
    """Says in the manifest that there is something to play."""
    news = {**_counts(stored.plan, stored.rounds), "complete": False}
    if not news.items() <= stored.manifest.items():
        with writing(stored.store):
            _publish_manifest(stored, news)


def finish(stored: Stored) -> bool:
    """Writes the digests of all games files into the manifest if every shard is done; returns whether it is."""
    if not set(range(len(stored.shards()))) <= done(stored.store):
        return False
    with writing(stored.store):
        digests = digests_of(stored.store)
        counts = _counts(stored.plan, stored.rounds)
        _publish_manifest(stored, {**counts, "complete": True, "digest": hash_of(digests), "digests": digests})
    return True


def note_digests(stored: Stored) -> Stored:
    """Writes the digests of the games files that are there now into the manifest of a complete experiment."""
    known = stored.manifest["digests"]
    if list(known) == ["cells.parquet", *games_files(stored.store)]:
        return stored
    digests = digests_of(stored.store, known)
    _publish_manifest(stored, {"digest": hash_of(digests), "digests": digests})
    return open_experiment(stored.store)


def _publish_manifest(stored: Stored, news: Mapping[str, Any]) -> None:
    # What depends on the games goes when games are added.
    kept = {key: value for key, value in stored.manifest.items() if key not in ("digest", "digests")}
    stored.store.publish_text(MANIFEST, _shown({**kept, **news}), "manifest")


def digests_of(store: Store, known: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """SHA-256 of the cells and of every games file, which in turn has those of its siblings, by path.

    Files whose digest is ``known`` are not read.
    """
    digests = dict(known)
    paths = ("cells.parquet", *games_files(store))
    for path in paths:
        if path not in digests:
            with store.open(path) as file:
                digests[path] = sha256(file)
    return {path: digests[path] for path in paths}


def _shown(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
