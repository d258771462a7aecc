"""The folder of a night among the reports: tried before the first game, held by one process, written as a whole."""

import errno
import fcntl
import os
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import IO

from cluster import RunFailed
from cluster.archive import reason
from queries.nights import write_index, write_night
from queries.nights.record import Record, read_record
from sim.rules_file import BadInput

PROBE_BYTES = 2**20
"""A folder takes at least so much, or a night is not begun."""
LOCK = ".lock"


def try_folder(folder: Path, key: str) -> None:
    """Makes a folder if there is none and writes into it, leaving nothing. Raises `BadInput` if that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(PROBE_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)  # no path has a byte that is 0
        if isinstance(error, OSError) and error.errno in (errno.EEXIST, errno.ENOTDIR):
            why = "it is a file, or leads through one"
        raise BadInput(f"{str(folder)!r} cannot be written: {why}", key=key) from None


@contextmanager
def writing_pages(folder: Path) -> Generator[None]:
    """Says of a failure to write pages where it was."""
    try:
        yield
    except OSError as error:
        raise RunFailed(f"{folder}: the pages cannot be written: {reason(error)}") from None


class NightFolder:
    """A night's folder, held by this process as long as it is open: another process does not get it meanwhile."""

    def __init__(self, reports: Path, label: str, lock: IO[str]) -> None:
        self.reports = reports
        self.path = reports / label
        self.label = label
        self.damage = ""
        self.record: Record | None = None
        self._lock = lock
        try:
            self.record = read_record(self.path)
        except ValueError as why:
            self.damage = str(why)

    @classmethod
    def open(cls, reports: Path, label: str) -> "NightFolder | None":
        """The folder of a night, made if there is none; None if another process holds it. Raises `RunFailed`."""
        with writing_pages(reports / label):
            (reports / label).mkdir(parents=True, exist_ok=True)
            lock = _locked(reports / label / LOCK, wait=False)
        return cls(reports, label, lock) if lock else None

    def check_name(self, name: str) -> None:
        """Raises `BadInput` if the folder has a night of another experiment."""
        if self.record and self.record.complete and self.record.name != name:
            message = f"{self.path} has a night of {self.record.name}, not of {name}: use a folder for each"
            raise BadInput(message, key="--reports")

    def close(self) -> None:
        """Lets other processes have it."""
        self._lock.close()

    def begun(self, name: str) -> Record:
        """The night's record for another start: what is known of an earlier one stays, but its end."""
        new = {"state": "begun", "line": "", "exit_code": None, "given_up": False}
        known = self.record or fresh(self.label, name)
        return known.model_copy(update=new if known.complete else {**new, "name": name})

    def save(self, record: Record, pages: Mapping[str, str] = MappingProxyType({})) -> list[str]:
        """Writes the night's pages and the index; returns a line for each night that cannot be shown there.

        Raises `RunFailed`.
        """
        with writing_pages(self.path):
            write_night(self.reports, record, pages)
        self.record = record
        with writing_pages(self.reports):
            lock = _locked(self.reports / LOCK, wait=True)  # else the index of the slower of two might miss the other
            try:
                return write_index(self.reports)
            finally:
                if lock:
                    lock.close()


def _locked(path: Path, *, wait: bool) -> IO[str] | None:
    """A file that no other process holds; it is let go when it is closed, or its process ends."""
    file = path.open("a", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if isinstance(error, BlockingIOError):
            return None
        raise
    return file


def fresh(label: str, name: str) -> Record:
    """The record of a night that nothing is known of yet."""
    return Record(label=label, name=name, created=datetime.now(UTC).isoformat(timespec="milliseconds"), state="begun")
