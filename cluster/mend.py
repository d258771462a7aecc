"""What is damaged of an experiment that is being played: found, told of and removed, so that it is played again."""

from cluster import RunFailed
from cluster.archive import Stored, restore_cells, writing
from cluster.layout import beside, games_files
from cluster.plan import count_shards
from cluster.progress import say
from cluster.sound import look_at_all
from cluster.store import Store
from queries.catalog import TABLES

MOST_TOLD = 20
"""Damaged files that are told of one by one."""


class Mender:
    """Looks once at every file that lies there when a run begins, and at every games file that is added in it.

    So the digests that it gives are those of games files that were sound, whatever becomes of them afterwards; and what
    their siblings must be stands in these. A sibling that has just been written is not read again: all that a large
    run writes would take as long to come back from an object store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cells = ""
        self._sound: dict[str, str] = {}
        self._removed: set[str] = set()
        self._first = True

    def mend(self, stored: Stored) -> None:
        """Removes what is not what was written; the table of cells is written anew.

        Raises `RunFailed` for a file that is damaged again after it has been played again.
        """
        self._cells = restore_cells(stored)
        shards = count_shards(stored.plan, stored.rounds)
        told = 0
        while True:
            there = games_files(self._store)
            # What lies behind the last round is that of somebody who has added another.
            new = {path: it for path, it in there.items() if path not in self._sound and it.stop <= shards}
            if not new:
                break
            fresh = () if self._first else new.keys() - self._removed
            for path, found in look_at_all(stored, new, fresh):
                if not found.faults:
                    self._sound[path] = found.digest
                    continue
                told += 1
                self._remove(path, found.faults[0], new[path], told <= MOST_TOLD)
        self._first = False
        if told > MOST_TOLD:
            say(f"{self._store}: and {told - MOST_TOLD:,} more damaged files")

    def _remove(self, path: str, fault: str, covered: range, tell: bool) -> None:
        if path in self._removed:
            raise RunFailed(f"{self._store}/{fault}, also after it has been played again: look after the disk")
        self._removed.add(path)
        if tell:
            which = f"shard {covered[0]}" if len(covered) == 1 else f"shards {covered[0]} to {covered[-1]}"
            say(f"{self._store}: {fault}: {which} played again")
        with writing(self._store):
            # Games first: without them nobody takes the others for published.
            self._store.delete([path])
            self._store.delete([beside(path, table) for table in TABLES if table != "games"])

    def forget(self) -> None:
        """Has all files looked at again: some are about to be replaced."""
        self._sound.clear()
        self._first = True

    def digests(self) -> dict[str, str]:
        """SHA-256 of the cells and of every games file, in order, by path."""
        return {
            "cells.parquet": self._cells,
            **{path: self._sound[path] for path in games_files(self._store) if path in self._sound},
        }
