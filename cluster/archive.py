"""What an archive stores of an experiment besides its games: inputs, plan, cells, rounds and manifest."""

import importlib.metadata
import io
import json
import os
import re
import shlex
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from cluster import RunFailed
from cluster.documents import Manifest, RoundFile
from cluster.layout import MANIFEST, PLAN, check_archive, done, experiment_folder, experiments, input_file, round_file
from cluster.parquet import cells_file
from cluster.plan import Plan, Round, Shard, canonical, count_shards, first_round, hash_of, shards_of
from cluster.progress import say
from cluster.store import Store, store_errors
from cluster.until import Until
from queries.catalog import SCHEMA_VERSION, Added
from queries.files import StoreError
from sim.rules_file import BadInput, check

M = TypeVar("M", bound=BaseModel)

INPUT = re.compile(r"[a-z]+-[0-9a-f]{16}")
"""A name in ``inputs/``: what it is, and its hash. It cannot lead out of the folder."""


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
    manifest = read_json(store, MANIFEST)
    version = manifest.get("schema_version")
    if isinstance(version, int) and version != SCHEMA_VERSION:
        message = f"was written by another version of Duosuan (its schema is {version}, ours {SCHEMA_VERSION})"
        raise BadInput(message, file=f"{store}/{MANIFEST}")
    told = checked(Manifest, manifest, store, MANIFEST)
    plan = checked(Plan, read_json(store, PLAN), store, PLAN)
    if plan.id != told.id or (plan.name, plan.label, plan.seed, plan.code, plan.rulebooks) != (
        told.name, told.label, told.seed, told.code, told.rulebooks
    ):  # fmt: skip
        raise RunFailed(f"{store}/{PLAN}: is not the plan of this experiment: it or {MANIFEST} is damaged")
    names = sorted({name for cell in plan.cells for name in cell.inputs.model_dump().values()})
    inputs = {name: _input(store, name) for name in names}
    rounds = _rounds(store, plan)
    # A round is stored before the manifest counts it.
    if told.cells != len(plan.cells) or told.games not in {sum(each.end) for each in rounds}:
        message = f"counts {told.cells:,} cells and {told.games:,} games, {PLAN} and rounds/ do not: one is damaged"
        raise RunFailed(f"{store}/{MANIFEST}: {message}")
    return Stored(store, manifest, plan, inputs, rounds)


def over_experiments(place: Store, work: Callable[[Store], None]) -> None:
    """Does something with each experiment of a place. One that is damaged does not stop the others: `RunFailed` is
    raised when all have had their turn.
    """
    stores = experiments(place)
    failures: list[Exception] = []
    for store in stores:
        try:
            with store_errors():
                work(store)
        except (BadInput, RunFailed) as error:
            if len(stores) == 1:
                raise
            failures.append(error)
            say(str(error))
    if failures:
        raise RunFailed(f"{place}: {len(failures):,} of {len(stores):,} experiments are not as they should be")


def read_json(store: Store, path: str) -> dict[str, Any]:
    """A JSON document of an experiment. Raises `RunFailed` if it is missing or damaged."""
    try:
        document = json.loads(store.read(path))
    except (StoreError, PermissionError):
        raise
    except FileNotFoundError:
        raise RunFailed(f"{store}/{path}: is missing") from None
    except OSError as error:
        raise RunFailed(f"{store}/{path}: cannot be read: {reason(error)}") from None
    except (ValueError, RecursionError) as error:
        raise RunFailed(f"{store}/{path}: is damaged: {error}") from None
    if not isinstance(document, dict):
        raise RunFailed(f"{store}/{path}: is damaged: it is no table of keys and values")
    return document


def checked(model: type[M], document: dict[str, Any], store: Store, path: str) -> M:
    """A document as it must look. Raises `RunFailed` if it does not."""
    try:
        return check(model, document, f"{store}/{path}")
    except BadInput as error:
        raise RunFailed(f"{error}: the file is damaged") from None


def _input(store: Store, name: str) -> dict[str, Any]:
    """An input, with the hash that its name tells: what is not that may be a program that nobody has looked at."""
    if not INPUT.fullmatch(name):
        raise RunFailed(f"{store}/{PLAN}: names an input {name!r}, which is none of ours")
    document = read_json(store, input_file(name))
    try:
        same = name.endswith(hash_of(document)[:16])
    except ValueError:  # it holds what is no text, or no number
        same = False
    if not same:
        raise RunFailed(f"{store}/{input_file(name)}: does not have the hash in its name: the file is damaged")
    return document


def _rounds(store: Store, plan: Plan) -> tuple[Round, ...]:
    rounds = [first_round(plan)]
    while store.exists(file := round_file(len(rounds))):
        before = rounds[-1].end
        end = list(before)
        told = checked(RoundFile, read_json(store, file), store, file)
        for added in told.added:
            for cell in range(added.first_cell, added.last_cell + 1):
                if cell >= len(before) or added.first != end[cell]:
                    message = f"does not go on where the round before ends, the first being in {PLAN}: one is damaged"
                    raise RunFailed(f"{store}/{file}: {message}")
                end[cell] = added.end
        rounds.append(Round(before, tuple(end)))
        if rounds[-1].games != told.games:
            raise RunFailed(
                f"{store}/{file}: adds {rounds[-1].games:,} games and tells of {told.games:,}: it is damaged"
            )
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
            _publish_cells(store, cells_file(plan))
            store.publish_text("experiment.toml", text, "experiment")
            store.publish_text(MANIFEST, _shown(_first_manifest(plan, until)), "manifest", only_if_new=True)
    stored = open_experiment(store)
    if stored.plan.id != plan.id:
        raise BadInput("is the folder of another experiment: use another archive", file=str(store))
    return stored


def _publish_cells(store: Store, content: bytes) -> None:
    draft = store.draft("cells.parquet")
    draft.temporary.write_bytes(content)
    draft.publish("cells")


def restore_cells(stored: Stored) -> str:
    """Writes the table of cells anew if it is not what the plan says; returns its SHA-256."""
    content = cells_file(stored.plan)
    try:
        there = stored.store.read("cells.parquet")
    except FileNotFoundError:
        there = b""
    if there != content:
        say(f"{stored.store}: cells.parquet is not what the plan says and is written anew")
        with writing(stored.store):
            _publish_cells(stored.store, content)
    return sha256(content).hexdigest()


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


def finish(stored: Stored, digests: Mapping[str, str]) -> None:
    """Writes the digests of cells and games files into the manifest: all have been checked, and no round follows."""
    with writing(stored.store):
        counts = _counts(stored.plan, stored.rounds)
        _publish_manifest(stored, {**counts, "complete": True, "digest": hash_of(digests), "digests": digests})


def note_digests(stored: Stored, digests: Mapping[str, str]) -> Stored:
    """Writes other digests, of games files that have been checked, into the manifest of a complete experiment."""
    if list(stored.manifest["digests"].items()) == list(digests.items()):
        return stored
    _publish_manifest(stored, {"digest": hash_of(digests), "digests": digests})
    return open_experiment(stored.store)


def _publish_manifest(stored: Stored, news: Mapping[str, Any], games_change: bool = True) -> None:
    # What depends on the games goes when games are added.
    gone = ("digest", "digests") if games_change else ()
    kept = {key: value for key, value in stored.manifest.items() if key not in gone}
    stored.store.publish_text(MANIFEST, _shown({**kept, **news}), "manifest")


def _shown(document: Mapping[str, Any]) -> str:
    text = io.StringIO()
    json.dump(document, text, indent=2, ensure_ascii=False)  # `dumps` would keep every digest's pieces at once
    text.write("\n")
    return text.getvalue()
