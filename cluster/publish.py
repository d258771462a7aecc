"""Atomic publishing: a file is there with all of its bytes, or it is not there.

A file is written under a temporary name beside its place, forced to disk and renamed. The temporary name does not end
like the file's, so that no reader takes it for one, and tells who writes it: host, process and the process's start.
"""

import contextlib
import os
import re
import signal
import socket
import time
from pathlib import Path

OLD_SECONDS = 86_400
"""A temporary file of another host is left alone for a day."""

FAULT = "DUOSUAN_FAULT"
"""For tests: ``point:n`` kills this process when it passes that point for the n-th time, ``point:n:file`` only if the
file is not there, and makes it. Points are ``before-rename-<what>`` and ``after-rename-<what>``."""

_TEMPORARY = re.compile(r"^.+\.(?P<host>[A-Za-z0-9_-]+)\.(?P<pid>\d+)\.(?P<start>\d+)\.tmp$")
_passed: dict[str, int] = {}


class Draft:
    """A file on its way: write to ``temporary``, then `publish` or `discard`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.temporary = path.with_name(f"{path.name}.{_host()}.{os.getpid()}.{_start_of(os.getpid())}.tmp")

    def publish(self, what: str, *, only_if_new: bool = False) -> bool:
        """Puts the file in its place; ``what`` names its fault points.

        With ``only_if_new`` a file that is there already stays. Returns whether this one is the one that is there.
        """
        _force_to_disk(self.temporary)
        _fault(f"before-rename-{what}")
        if only_if_new:
            try:
                os.link(self.temporary, self.path)
            except FileExistsError:
                return False
            finally:
                self.temporary.unlink()
        else:
            self.temporary.replace(self.path)
        _force_to_disk(self.path.parent)
        _fault(f"after-rename-{what}")
        return True

    def discard(self) -> None:
        """Removes what has been written so far."""
        self.temporary.unlink(missing_ok=True)


def publish_text(path: Path, text: str, what: str, *, only_if_new: bool = False) -> bool:
    """Publishes a text file, see `Draft.publish`."""
    draft = Draft(path)
    try:
        draft.temporary.write_text(text, encoding="utf-8")
        return draft.publish(what, only_if_new=only_if_new)
    except OSError:
        # On a full disk every byte counts: leave nothing half-written behind.
        with contextlib.suppress(OSError):
            draft.discard()
        raise


def remove_remains(folder: Path) -> None:
    """Removes temporary files that nobody writes any more: of dead processes of this host, or older than a day."""
    for path in folder.rglob("*.tmp"):
        found = _TEMPORARY.match(path.name)
        if found and _is_abandoned(path, found["host"], int(found["pid"]), int(found["start"])):
            path.unlink(missing_ok=True)


def _is_abandoned(path: Path, host: str, pid: int, start: int) -> bool:
    if host == _host():
        return _start_of(pid) != start
    with contextlib.suppress(FileNotFoundError):
        return time.time() - path.stat().st_mtime > OLD_SECONDS
    return False


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname()) or "host"


def _start_of(pid: int) -> int:
    """When a process started, in clock ticks since the system did; -1 if there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return -1
    # The second field is the command in brackets, which may hold anything; the start is the 22nd field.
    return int(stat.rpartition(")")[2].split()[19])


def _force_to_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _fault(point: str) -> None:
    given = os.environ.get(FAULT)
    if not given:
        return
    where, count, *once = given.split(":", 2)
    if where != point:
        return
    _passed[point] = _passed.get(point, 0) + 1
    if _passed[point] != int(count) or (once and Path(once[0]).exists()):
        return
    if once:
        Path(once[0]).touch()
    os.kill(os.getpid(), signal.SIGKILL)
