"""Whether what is published of shards is what was written.

A games file has a digest of itself and those of its siblings, and says which shards of which experiment they are. So
each range of shards can be checked by itself, at any time; `verify` looks further, into keys, totals and games.
"""

import json
from collections.abc import Container, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from cluster.archive import Stored
from cluster.layout import beside, shard_file
from cluster.parquet import METADATA, cells_file, cells_table, sha256
from cluster.plan import tables_of
from queries.catalog import SCHEMA_VERSION
from queries.digests import digests
from queries.files import StoreError
from sim.rules_file import BadInput, Strict, check

READERS = 32
"""Files that are read at once for their digests: from a store far away each takes as long as the store's answer."""
READ_AHEAD = 1_000
"""Files that are given to the readers together: of a million files not all are kept waiting."""


class Sibling(Strict):
    """What a games file says of another table's file of the same shards."""

    rows: int
    sha256: str


class About(Strict):
    """What a games file says of itself, as JSON in its metadata."""

    schema_version: int
    experiment: str
    rulebook: str
    rulebook_version: str
    shards: list[int]
    failed: int
    siblings: dict[str, Sibling]
    own: str


class Found(NamedTuple):
    """What was found of a games file and its siblings: the digest of the whole file, what it says (None if it is
    damaged), and a line for each file that is not what was written.
    """

    digest: str
    about: About | None
    faults: list[str]


def look(stored: Stored, path: str, covered: range, *, alone: bool = False) -> Found:
    """Checks the digests of a games file and, unless it is to be ``alone``, of its siblings, and that it is that of
    these shards.
    """
    digest, about, faults = "", None, []
    try:
        with stored.store.open(path) as file:
            found = digests(file)
            digest = found.whole
            if not found.sound:
                return Found(
                    digest, None, [f"{path}: is damaged: it does not have the digest that it was written with"]
                )
            if (stored.manifest.get("digests") or {}).get(path, digest) != digest:
                return Found(digest, None, [f"{path}: has changed since the experiment was complete"])
            file.seek(0)
            about = _about(file, path)
        faults = [f"{path}: {why}" for why in _misplaced(stored, path, covered, about)]
    except (StoreError, PermissionError, MemoryError):
        raise  # that says nothing of the file
    except FileNotFoundError:
        faults = [f"{path}: is missing"]
    except BadInput as error:
        faults = [f"{error}: the file is damaged"]
    except (OSError, pa.ArrowException) as error:
        faults = [f"{path}: cannot be read: {error}"]
    if about is None or faults or alone:
        return Found(digest, None, faults)
    return Found(digest, about, list(_siblings(stored, path, about)))


def _about(file: Any, path: str) -> About:
    metadata = pq.read_metadata(file).metadata or {}
    try:
        document = json.loads(metadata.get(METADATA.encode(), b"null"))
    except ValueError:
        document = None
    return check(About, document if isinstance(document, dict) else {}, path)


def _misplaced(stored: Stored, path: str, covered: range, about: About) -> Iterator[str]:
    if about.experiment != stored.plan.id:
        yield f"belongs to another experiment ({about.experiment[:8]})"
    elif about.schema_version != SCHEMA_VERSION:
        yield f"has schema version {about.schema_version}, not {SCHEMA_VERSION}"
    elif about.shards != [covered[0], covered[-1]]:
        yield f"is the file of shards {' to '.join(map(str, about.shards))}"
    elif path != shard_file("games", about.rulebook, covered[0], covered[-1]):
        yield "does not lie where these shards belong"
    elif {*about.siblings, "games"} != set(tables_of(stored.plan)):
        yield "belongs to files of other tables than the experiment has"


def _siblings(stored: Stored, path: str, about: About) -> Iterator[str]:
    for table in tables_of(stored.plan):
        if table == "games":
            continue
        sibling = beside(path, table)
        try:
            with stored.store.open(sibling) as file:
                if sha256(file) != about.siblings[table].sha256:
                    yield f"{sibling}: has changed since it was published"
        except (StoreError, PermissionError):
            raise
        except FileNotFoundError:
            yield f"{sibling}: is missing"
        except OSError as error:
            yield f"{sibling}: cannot be read: {error}"


def look_at_all(stored: Stored, files: Mapping[str, range], alone: Container[str] = ()) -> Iterator[tuple[str, Found]]:
    """`look` at many games files, some ``alone``, in order; many are read at once."""
    paths = list(files)
    with ThreadPoolExecutor(READERS) as readers:
        for start in range(0, len(paths), READ_AHEAD):
            some = paths[start : start + READ_AHEAD]
            found = readers.map(lambda path: look(stored, path, files[path], alone=path in alone), some)
            yield from zip(some, found, strict=True)


def cells_fault(stored: Stored) -> str:
    """What is wrong with the table of cells; empty if it is what the plan says."""
    try:
        content = stored.store.read("cells.parquet")
    except FileNotFoundError:
        return "cells.parquet: is missing"
    if content == cells_file(stored.plan):
        return ""
    try:
        # Another version of the library writes the same table with other bytes.
        same = pq.read_table(pa.BufferReader(content)).equals(cells_table(stored.plan), check_metadata=True)
    except MemoryError:
        raise
    except (OSError, pa.ArrowException) as error:
        return f"cells.parquet: cannot be read: {error}"
    return "" if same else "cells.parquet: is not what the plan says"
