"""The trial of a user's policy: a process of its own imports it first.

A module may do anything when it is imported: loop, crash, end its process. Here that costs a process that nobody needs,
and one line says what happened.
"""

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping

from sim.policy_modules import digest_of, module_of
from sim.rules_file import BadInput

TRIAL_SECONDS = 60.0
"""How long a policy may take to be imported. What it compiles meanwhile counts, as a function with a signature of its
own; what is compiled when it is first used, as every other, does not."""

TRIAL_MEMORY = 2 * 2**30
"""Bytes that it may take meanwhile, all modules together."""

PR_SET_PDEATHSIG = 1
"""Of ``prctl``: the signal that a process gets when its parent ends."""

_passed: set[str] = set()  # digests of bundles


def skip(sources: Mapping[str, str]) -> None:
    """Takes a bundle as tried: in a worker, whose driver has done so."""
    _passed.add(digest_of(sources))


def hold(sources: Mapping[str, str], main: str) -> None:
    """Has a process of its own import a bundle that this one has not yet tried.

    Raises `BadInput`, naming the main file, if it cannot be imported, ends its process, takes too long, or leaves more
    behind than what it defines.
    """
    digest = digest_of(sources)
    if digest in _passed:
        return
    told = os.memfd_create("trial")
    try:
        code = _ended(sources, main, told)
        size = os.fstat(told).st_size
        why = json.loads(os.pread(told, size, 0)) if size else _death_of(code)
    finally:
        os.close(told)
    if why:
        raise BadInput(why, file=main)
    _passed.add(digest)


def _death_of(code: int | None) -> str:
    if code is None:
        return f"takes longer than {TRIAL_SECONDS:g} s to be imported"
    how = f"signal {-code} ({signal.Signals(-code).name})" if code < 0 else f"exit code {code}"
    return f"ends the process that imports it, with {how}"


def _ended(sources: Mapping[str, str], main: str, told: int) -> int | None:
    """Runs the other process; returns its exit code, or None if it had to be ended."""
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "sim.policy_trial", str(told), str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[told],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
        start_new_session=True,  # Ctrl-C is for this process, which then ends the other with all that it started
    )
    try:
        child.communicate(json.dumps([sources, main]).encode(), TRIAL_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if child.returncode is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    return child.returncode


def main() -> None:
    """The other process: imports what it is handed on stdin, and tells what is wrong with it, or nothing."""
    told, parent = map(int, sys.argv[1:])
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)
    resource.setrlimit(resource.RLIMIT_DATA, (TRIAL_MEMORY, TRIAL_MEMORY))
    sources, name = json.load(sys.stdin)
    pid = os.getpid()
    why = _try(sources, name)
    if os.getpid() == pid:  # not in a copy that the policy has made of this process
        os.write(told, json.dumps(why).encode())
    os._exit(0)  # whatever the policy has left to be done at the end


def _try(sources: Mapping[str, str], main: str) -> str:
    printed, stdout = os.pipe2(os.O_NONBLOCK)
    os.set_blocking(stdout, True)
    os.dup2(stdout, 1)
    stream, folder, handlers = sys.stdout, os.getcwd(), _handlers()
    try:
        module_of(sources, main)
    except BadInput as error:
        return str(error).removeprefix(f"{main}: ")
    except KeyboardInterrupt:
        return "cannot be imported: it raises KeyboardInterrupt"
    try:
        stream.flush()
        os.write(1, b"")
        is_elsewhere = os.getcwd() != folder
    except (OSError, ValueError):
        return "closes the output, or removes the working directory, when it is imported"
    left = {
        "prints": sys.stdout is not stream or _has_some(printed),
        "changes the working directory": is_elsewhere,
        "changes what is done on signals": _handlers() != handlers,
        "starts threads": threading.active_count() > 1,
        "starts processes": _has_children(),
    }
    found = [what for what, is_so in left.items() if is_so]
    return f"{' and '.join(found)} when it is imported: a policy's file defines, and does no more" if found else ""


def _handlers() -> list[object]:
    return [*map(signal.getsignal, sorted(signal.valid_signals())), signal.getitimer(signal.ITIMER_REAL)[0] > 0]


def _has_some(pipe: int) -> bool:
    try:
        return bool(os.read(pipe, 1))
    except BlockingIOError:
        return False


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


if __name__ == "__main__":
    main()
