"""Small experiments, and processes of their own that play them."""

import functools
import hashlib
import multiprocessing
import shutil
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SMALL = """
name = "small"
seed = 7
replications = {replications}
{keys}

# Its cost makes small shards of few games.
[policies.costly]
policy = "hold"
cost = 100

[[play]]
scenarios = ["barbarossa/blue", "barbarossa/uranus"]
blue = ["costly"]
red = ["easy", "medium"]
{play}
"""

_ELSEWHERE = """
import os, sys, types
log = os.open({log!r}, os.O_WRONLY | os.O_APPEND)
os.dup2(log, 1), os.dup2(log, 2)
sys.stdout = sys.stderr = open(1, "w", buffering=1)
os.environ.update({environment!r})
# The summary has tests of its own.
sys.modules["queries.summary"] = types.SimpleNamespace(print_summary=lambda folder: None)
from pathlib import Path
from cluster import RunFailed
from cluster.dispatch import Options
from cluster.run import resume, run
from sim.rules_file import BadInput
try:
    {call}
except (BadInput, RunFailed) as error:
    print(error)
    sys.exit(2 if isinstance(error, BadInput) else 1)
"""


class Ended(NamedTuple):
    """How a process ended (negative: by that signal) and what it printed."""

    code: int
    text: str


class Started(NamedTuple):
    """A process that runs a call, and the file that it prints to."""

    process: Any
    log: Path

    def end(self) -> Ended:
        """Waits for its end."""
        self.process.join(300)
        code = self.process.exitcode
        if code is None:
            self.process.kill()
            raise AssertionError(f"still running after 300 s: {self.log.read_text()}")
        return Ended(code, self.log.read_text())


class Elsewhere:
    """Runs experiments in processes of their own, forked from one that has everything imported."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["cluster.run", "cluster.dispatch", "sim.barbarossa.rulebook"])
        self.count = 0

    def start(self, call: str, **environment: str) -> Started:
        """Starts a call in a process of its own."""
        self.count += 1
        log = self.folder / f"{self.count}.log"
        log.touch()
        code = _ELSEWHERE.format(log=str(log), environment=environment, call=call)
        process = self.context.Process(target=exec, args=(code, {}))
        process.start()
        return Started(process, log)

    def call(self, call: str, **environment: str) -> Ended:
        """Runs a call to its end."""
        return self.start(call, **environment).end()

    def run(self, file: Path, archive: Path, options: str = "inline=True", **environment: str) -> Ended:
        """Runs an experiment."""
        return self.call(run_call(file, archive, options), **environment)

    def resume(self, target: Path, options: str = "inline=True", **environment: str) -> Ended:
        """Goes on with an experiment."""
        archive = target.parent if target.is_dir() else target
        return self.call(f"resume(Path({str(target)!r}), Path({str(archive)!r}), Options({options}))", **environment)


def run_call(file: Path, archive: Path, options: str = "inline=True") -> str:
    """The call that runs an experiment."""
    return f"run({str(file)!r}, Path({str(archive)!r}), Options({options}), 1)"


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    return Elsewhere(tmp_path_factory.mktemp("elsewhere"))


def write_small(folder: Path, replications: int = 100, keys: str = "", play: str = "") -> Path:
    path = folder / "small.toml"
    path.write_text(SMALL.format(replications=replications, keys=textwrap.dedent(keys), play=textwrap.dedent(play)))
    return path


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., Path]:
    """Writes a small experiment: four cells, and with 100 replications of each 400 games in five shards."""
    return functools.partial(write_small, tmp_path)


@pytest.fixture(scope="session")
def reference(elsewhere: Elsewhere, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with the small experiment, played in one go; not to be touched."""
    folder = tmp_path_factory.mktemp("reference")
    ended = elsewhere.run(write_small(folder), folder / "archive")
    assert ended.code == 0, ended.text
    return folder / "archive"


@pytest.fixture
def damaged(reference: Path, tmp_path: Path) -> Path:
    """A copy of the small experiment's folder, to be damaged."""
    shutil.copytree(reference, tmp_path / "damaged")
    return only_experiment(tmp_path / "damaged")


def only_experiment(archive: Path) -> Path:
    """The folder of the only experiment in an archive."""
    (folder,) = archive.glob("experiment=*")
    return folder


def digests(archive: Path) -> dict[str, str]:
    """SHA-256 of every Parquet file of an archive, by path."""
    return {path.relative_to(archive).as_posix(): sha256(path) for path in sorted(archive.rglob("*.parquet"))}


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
