"""Ray as it runs on several machines: a head and nodes, each with processes of its own at an address of its own.

Every node has an address of the loopback network: nothing can be reached from elsewhere.
"""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psutil

START_SECONDS = 180
HEAD = "127.0.0.2"
_MEMORY = 100 * 2**20


class Node:
    """A node: the processes of ``ray start --block`` and what they start, in a session of their own."""

    def __init__(self, cluster: "RayCluster", number: int, words: list[str], environment: dict[str, str]) -> None:
        self.log = cluster.folder / f"node-{number}.log"
        command = [Path(sys.executable).with_name("ray"), "start", "--block", "--disable-usage-stats"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*command, f"--object-store-memory={_MEMORY}", *words],
                stdout=log,
                stderr=log,
                env={**cluster.environment, **environment},
                cwd=cluster.folder,
                start_new_session=True,
            )
        until = time.monotonic() + START_SECONDS
        while "will now block" not in self.log.read_text():
            if self.process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise AssertionError(f"the node has not started: {self.log.read_text()}")
            time.sleep(0.05)

    def processes(self) -> list[psutil.Process]:
        """All processes of the node that are there."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
                if os.getsid(process.pid) == self.process.pid and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def workers(self) -> list[psutil.Process]:
        """Its processes that play, or have played."""
        return [process for process in self.processes() if _title(process).startswith("ray::_play_job")]

    def send(self, number: int) -> None:
        """Sends a signal to all of its processes."""
        for process in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def kill(self) -> None:
        """As if the machine's plug were pulled."""
        until = time.monotonic() + START_SECONDS
        while self.processes():
            self.send(signal.SIGKILL)
            assert time.monotonic() < until, "a process cannot be killed"
            time.sleep(0.05)
        self.process.wait()


def _title(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.NoSuchProcess):
        return " ".join(process.cmdline())
    return ""


class RayCluster:
    """A cluster: its head plays nothing; nodes are added and killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind((HEAD, 0))
            self.address = f"{HEAD}:{free.getsockname()[1]}"
        self.token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(16)}
        # Far from the checkout and without its path: what workers run has travelled. A loaded machine takes its time.
        here = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "RAY_ADDRESS")}
        self.environment = {**here, **self.token, "RAY_raylet_start_wait_time_s": str(START_SECONDS)}
        port = self.address.rpartition(":")[2]
        words = ["--head", f"--port={port}", f"--node-ip-address={HEAD}", "--num-cpus=0", "--include-dashboard=false"]
        self.head = Node(self, 2, [*words, f"--temp-dir={folder}/ray"], {})
        self.nodes: list[Node] = []
        self.count = 2

    def add(self, **environment: str) -> Node:
        """A machine with one processor joins."""
        self.count += 1
        words = [f"--address={self.address}", f"--node-ip-address=127.0.0.{self.count}", "--num-cpus=1"]
        self.nodes.append(Node(self, self.count, words, environment))
        return self.nodes[-1]

    def kill(self) -> None:
        """Kills everything."""
        for node in (*self.nodes, self.head):
            node.kill()


@contextmanager
def ray_cluster() -> Generator[RayCluster]:
    """A cluster without nodes, while the context is open."""
    # Not in a test's own folder: paths of sockets may have a hundred letters.
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        cluster = RayCluster(Path(folder))
        try:
            yield cluster
        finally:
            cluster.kill()
