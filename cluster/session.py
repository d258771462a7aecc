"""Ray for as long as a run takes: started on this machine or joined, and left without remains whatever ends the run."""

import atexit
import contextlib
import fcntl
import logging
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cluster import RunFailed, keeper
from cluster.archive import resume_command
from cluster.loop import stoppable
from cluster.store import Store

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to anybody
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # no warning about a default that is going to change
    "RAY_raylet_start_wait_time_s": "120",  # on a loaded machine 30 s, the default, are not enough
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # a lost worker is our business: Ray would tell of it on stdout
}
"""What Ray is told by its environment."""
REACH_SECONDS = 10.0
"""How long a cluster may take to answer at all."""
OBJECT_STORE_BYTES = 128 * 2**20
"""Ray's shared memory on this machine: it holds the plan, no games."""
RAY_BYTES = 4_000_000_000
"""Address space that Ray takes in this process, most of it for threads, and never uses."""
FOLDERS = "duosuan-ray-"
"""What the names of folders begin with that a Ray of ours uses."""
MOST_LETTERS = 20
"""Of the path of a folder for temporary files: Ray's sockets lie 87 letters below it, and may have 107."""
NEW_SECONDS = 60.0
"""A folder may be so old before it is locked."""


class Options(NamedTuple):
    """How shards are played. ``workers`` None: as many as there are processors; ``game_limit`` is in seconds."""

    inline: bool = False
    workers: int | None = None
    address: str | None = None
    dashboard: bool = False
    game_limit: float = 60.0


class RayGone(RunFailed):
    """Ray, or a part of it without which nothing goes on, has ended."""


class Session:
    """Ray while a run uses it, and the process that looks after the run."""

    def __init__(self, store: Store, folder: Path | None) -> None:
        words = [sys.executable, "-I", "-S", str(Path(keeper.__file__)), str(os.getpid()), str(folder or "")]
        # In a session of its own, where no Ctrl-C and no end of a terminal reaches it.
        self._keeper = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
        )
        self._ended = False
        self._tell(f"error: {stopped(store, 'the run was ended, by somebody or by Ray')}".encode())

    def _tell(self, words: bytes) -> None:
        assert self._keeper.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it was killed: then nobody tidies up before the next run
            self._keeper.stdin.write(words)

    def end(self, *, gone: bool = False) -> None:
        """Leaves Ray; returns when its processes have ended if they are ours. The second time nothing happens.

        ``gone``: Ray has ended by itself. What is left of it in this process would wait for it, and talk; so it is not
        asked, and has no time to: it may end the process at any moment, and then the keeper has the last word.
        """
        if self._ended:
            return
        self._ended = True
        import ray

        if gone:
            atexit.register(self._leave)
        else:
            ray.shutdown()
            self._tell(keeper.SAID)
        self._tell(keeper.CLEAR)
        assert self._keeper.stdout is not None
        self._keeper.stdout.read()
        if not gone:
            self._close()

    def _leave(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        self._tell(keeper.SAID)
        os._exit(1)

    def _close(self) -> None:
        with self._keeper as process:
            assert process.stdin is not None
            process.stdin.close()


_open: list[Session] = []


@contextmanager
def on_ray(options: Options, store: Store) -> Generator[Session]:
    """Ray: started on this machine, or joined where an address or ``RAY_ADDRESS`` says; once for all rounds within.

    Raises `RunFailed` if it cannot be had, or on Ctrl-C, SIGTERM and SIGHUP.
    """
    if _open:
        yield _open[0]
        return
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    address = options.address or os.environ.get("RAY_ADDRESS")
    with contextlib.ExitStack() as held:
        try:
            _check_memory()
            folder = None if address else held.enter_context(own_folder())
            session = Session(store, folder)
        except OSError as error:
            raise RunFailed(stopped(store, f"Ray cannot be started: {error} (--inline plays without it)")) from None
        _open.append(session)
        gone = False
        try:
            with stoppable() as stop:
                _start(options, store, address, folder)
            if stop.requested:
                raise KeyboardInterrupt
            with _interruptible():
                yield session
        except (KeyboardInterrupt, SystemExit):  # the latter is Ray's on SIGTERM, while it starts
            raise RunFailed(stopped(store, "stopped")) from None
        except RayGone:
            gone = True
            raise
        finally:
            session.end(gone=gone)
            _open.remove(session)


def stopped(store: Store, why: str) -> str:
    """What is said of a run that has not come to its end: why, and the command that goes on."""
    return f"{store}: {why}; what is published stays; go on with: {resume_command(store)}"


def _check_memory() -> None:
    """Raises `OSError` if this process may have less memory than Ray takes, which would end it in the middle."""
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if allowed != resource.RLIM_INFINITY and allowed < RAY_BYTES:
        raise OSError(
            f"a process may have {allowed / 1e6:,.0f} MB (ulimit -v), and Ray takes {RAY_BYTES / 1e6:,.0f} MB"
        )


def _start(options: Options, store: Store, address: str | None, folder: Path | None) -> None:
    import ray

    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    try:
        if address:
            reach(address)
            # Other machines have Python and the libraries, and get our packages from here.
            packages = [str(Path(__file__).parent.parent / name) for name in ("sim", "cluster", "queries")]
            ray.init(address=address, runtime_env={"py_modules": packages}, **quiet)
            return
        os.environ[keeper.MARK] = str(folder)
        os.environ["SPT_NOENV"] = "1"  # else Ray's processes would write their titles over their environment
        ray.init(
            address="local",
            num_cpus=options.workers,
            include_dashboard=options.dashboard,
            object_store_memory=OBJECT_STORE_BYTES,
            _temp_dir=str(folder),
            **quiet,
        )
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        where = f"at {address} cannot be joined" if address else "cannot be started"
        raise RunFailed(stopped(store, f"Ray {where}: {error} (--inline plays without it)")) from None
    finally:
        os.environ.pop(keeper.MARK, None)


@contextmanager
def _interruptible() -> Generator[None]:
    """SIGTERM and SIGHUP do as Ctrl-C does: Ray, or nobody, would else deal with them."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def own_folder() -> Generator[Path]:
    """A folder for a Ray of our own. Those of runs that are no more are removed."""
    place = Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir())
    if len(str(place)) > MOST_LETTERS:
        place = Path("/tmp")
    for path in place.glob(f"{FOLDERS}*"):
        with contextlib.suppress(OSError):  # it is another user's, or has just gone
            if time.time() - path.stat().st_mtime > NEW_SECONDS and path.stat().st_uid == os.getuid():
                with _lock(path):
                    shutil.rmtree(path, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=FOLDERS, dir=place))
    with _lock(folder):
        yield folder
        shutil.rmtree(folder, ignore_errors=True)  # as the keeper has, if nobody has killed it


@contextmanager
def _lock(folder: Path) -> Generator[None]:
    """Holds a folder, as long as this process lives. Raises `OSError` if somebody else does."""
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(number)


def reach(address: str) -> None:
    """Raises `OSError` if nobody is there: Ray itself would try for ever."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        socket.create_connection((host, int(port)), REACH_SECONDS).close()
