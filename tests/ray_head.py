"""A Ray head on loopback for tests, with a token of its own."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

START_SECONDS = 120
UNTIL_NOBODY_WRITES = """exec 3<&0; "$@" </dev/null & read -r nothing <&3; kill $!; wait $!"""
"""A shell that runs a command until its input ends: so no head stays where tests are killed."""


class Head(NamedTuple):
    """A head: its job server's address, its own address, and what a program needs in its environment to be let in."""

    jobs: str
    address: str
    token: dict[str, str]


@contextmanager
def ray_head(processors: int = 2) -> Generator[Head]:
    """Runs a head while the context is open, far from the checkout and without a path to it."""
    with ExitStack() as held:
        free = [held.enter_context(socket.socket()) for _ in range(5)]
        for each in free:
            each.bind(("127.0.0.1", 0))
        gcs, dashboard, agent, client, metrics = (each.getsockname()[1] for each in free)
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
    # Short, for the paths of sockets are limited to some hundred characters.
    folder = tempfile.mkdtemp(prefix="ray-")
    python = Path(sys.executable).parent
    inherited = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "RAY_ADDRESS")}
    # The node's address is one of loopback, but not 127.0.0.1: for that Ray would take this machine's own.
    command = [
        "sh", "-c", UNTIL_NOBODY_WRITES, "sh",
        str(python / "ray"), "start", "--head", "--block", "--disable-usage-stats", f"--num-cpus={processors}",
        "--node-ip-address=127.0.0.2", f"--port={gcs}", f"--temp-dir={folder}", "--include-dashboard=true",
        "--dashboard-host=127.0.0.1", f"--dashboard-port={dashboard}", f"--dashboard-agent-listen-port={agent}",
        f"--ray-client-server-port={client}", f"--metrics-export-port={metrics}", f"--object-store-memory={2**27}",
    ]  # fmt: skip
    with Path(folder, "said").open("wb") as said:
        process = subprocess.Popen(
            command,
            cwd="/",
            env={**inherited, **token, "PATH": f"{python}:{os.environ['PATH']}"},
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    url = f"http://127.0.0.1:{dashboard}"
    try:
        _await(process, f"{url}/api/version", token["RAY_AUTH_TOKEN"], Path(folder, "said"))
        yield Head(url, f"127.0.0.2:{gcs}", token)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _await(process: subprocess.Popen, url: str, token: str, said: Path) -> None:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    until = time.monotonic() + START_SECONDS
    while True:
        assert process.poll() is None, said.read_text()
        assert time.monotonic() < until, f"no head after {START_SECONDS} s: {said.read_text()}"
        try:
            urllib.request.urlopen(request, timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
