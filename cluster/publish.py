"""Atomic publishing: a file is there with all of its bytes, or it is not there.

A file is written under a temporary name beside its place, forced to disk and renamed. The temporary name does not end
like the file's, so that no reader takes it for one, and tells who writes it, see `this_process`.
For an object store it is written in a folder of this machine and sent in one request, which is atomic by itself.
"""

import contextlib
import functools
import os
import re
import signal
import socket
import stat
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

from queries.files import RemoteFiles, error_code

OLD_SECONDS = 86_400
"""A temporary file of another host is left alone for a day."""

FAULT = "DUOSUAN_FAULT"
"""For tests: ``point:n`` kills this process when it passes that point for the n-th time, ``point:n:file`` only if the
file is not there, and makes it. Points are ``before-rename-<what>`` and ``after-rename-<what>``."""

_NOT_NEW = {"PreconditionFailed", "ConditionalRequestConflict", "412", "409"}
_NO_CONDITIONS = {"NotImplemented", "501"}
WHO = r"[A-Za-z0-9_-]+\.[0-9a-f]+\.\d+\.\d+\.\d+"
"""What `this_process` looks like."""
_TEMPORARY = re.compile(rf"^.+\.(?P<who>{WHO})\.tmp$")
_passed: dict[str, int] = {}


class Draft:
    """A file on its way: write to ``temporary``, then `publish` or `discard`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self.temporary = path.with_name(_temporary_name(path.name))

    def publish(self, what: str, *, only_if_new: bool = False) -> bool:
        """Puts the file in its place; ``what`` names its fault points.

        With ``only_if_new`` a file that is there already stays. Returns whether this one is the one that is there.
        """
        self._finish()
        fault(f"before-rename-{what}")
        if not self._place(only_if_new):
            return False
        fault(f"after-rename-{what}")
        return True

    def _finish(self) -> None:
        _force_to_disk(self.temporary)

    def _place(self, only_if_new: bool) -> bool:
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
        return True

    def discard(self) -> None:
        """Removes what has been written so far."""
        self.temporary.unlink(missing_ok=True)


class Upload(Draft):
    """A file on its way to an object store: it is written on this machine, then sent whole."""

    def __init__(self, files: RemoteFiles, path: str) -> None:
        self._files = files
        self._target = f"{files.prefix}/{path}"
        folder = uploads_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_own(folder)
        # Two drafts of one process may have the same name in two archives.
        self.temporary = folder / _temporary_name(f"{uuid.uuid4().hex}-{path.rpartition('/')[2]}")

    def _finish(self) -> None:
        pass  # the store has the file or has it not, whatever becomes of this machine

    def _place(self, only_if_new: bool) -> bool:
        try:
            return self._put_if_new() if only_if_new else self._put()
        finally:
            self.discard()

    def _put(self, **options: Any) -> bool:
        with self._files.plainly():
            self._files.system.put_file(str(self.temporary), self._target, **options)
        return True

    def _put_if_new(self) -> bool:
        """Leaves it to the store to decide who is first; where it cannot, whoever looks first."""
        try:
            self._files.system.put_file(str(self.temporary), self._target, mode="create")
        except Exception as error:
            if isinstance(error, FileExistsError) or error_code(error) in _NOT_NEW:
                return False
            with self._files.plainly():
                if error_code(error) not in _NO_CONDITIONS:
                    raise
                return not self._files.system.exists(self._target) and self._put()
        return True


def uploads_folder() -> Path:
    """Where files are written that are to be sent to an object store."""
    return Path(tempfile.gettempdir(), f"duosuan-uploads-{os.getuid()}")


def clear_uploads() -> bool:
    """As `remove_remains`, of what was to be sent to an object store."""
    folder = uploads_folder()
    if not os.path.lexists(folder):
        return False
    _check_own(folder)
    return remove_remains(folder)


def _check_own(folder: Path) -> None:
    """Raises `OSError` for a folder in which somebody else could read or exchange what is to be sent."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise OSError(f"{folder} is not a folder of this user's alone (chmod 700): remove it, or set TMPDIR")


def _temporary_name(name: str) -> str:
    return f"{name}.{this_process()}.tmp"


def remove_remains(folder: Path) -> bool:
    """Removes temporary files that nobody writes any more: of dead processes of this host, or older than a day.

    Returns whether processes that can be seen from here still write others.
    """
    left = False
    for path in folder.rglob("*.tmp"):
        found = _TEMPORARY.match(path.name)
        with contextlib.suppress(FileNotFoundError):
            if found and is_gone(found["who"], path.stat().st_mtime):
                path.unlink()
            elif found and found["who"].startswith(f"{_place()}."):
                left = True
    return left


def this_process() -> str:
    """What tells this process from all others: host, boot, namespace of processes, number and start.

    Containers may share a host's name and number their processes alike; starts are counted from the boot.
    """
    return f"{_place()}.{os.getpid()}.{_start_of(os.getpid())}"


def is_gone(who: str, seen: float) -> bool:
    """Whether a process is no more that gave a sign at a time, in seconds since 1970.

    One of another place, which cannot be seen from here, is taken for gone a day later.
    """
    place, pid, start = who.rsplit(".", 2)
    if place == _place():
        return _start_of(int(pid)) != int(start)
    return time.time() - seen > OLD_SECONDS


@functools.cache
def _place() -> str:
    """Host, boot and namespace: processes of the same can see each other."""
    host = re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname()) or "host"
    boot, namespace = "0", 0  # where the system does not tell
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip().replace("-", "")[:12]
    with contextlib.suppress(OSError):
        namespace = Path("/proc/self/ns/pid").stat().st_ino
    return f"{host}.{boot}.{namespace}"


def _start_of(pid: int) -> int:
    """When a process started, in clock ticks since the system did; -1 if there is no such process."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return -1
    # The second field is the command in brackets, which may hold anything; the start is the 22nd field.
    return int(line.rpartition(")")[2].split()[19])


def _force_to_disk(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def fault(point: str) -> None:
    """Ends this process if a test wants that at this point, see `FAULT`."""
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
