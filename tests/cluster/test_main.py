"""A process that lacks memory or a library ends with one line."""

import functools
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MEGABYTE = 10**6


def duosuan(*words: str, memory: int | None = None, beside: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command, in a process that may have so much memory; modules in a folder ``beside`` go before others."""
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_AS, (memory, memory)) if memory else None
    return subprocess.run(
        [sys.executable, "-m", "cluster", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(beside)},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize("memory", [100, 300, 500, 999])
@pytest.mark.parametrize("words", [["run", "demo", "--inline"], ["play", "barbarossa/blue", "--blue", "hold"]])
def test_too_little_memory_is_one_line(words: list[str], memory: int) -> None:
    ended = duosuan(*words, memory=memory * MEGABYTE)
    assert (ended.returncode, ended.stdout) == (1, "")
    given = f"this process may have {memory} MB (ulimit -v)"
    assert ended.stderr == f"error: too little memory: {given}; a command takes 1,000 MB, without Ray\n"


def test_help_takes_less() -> None:
    assert "Play an experiment" in duosuan("run", "--help", memory=300 * MEGABYTE).stdout


def test_ray_with_too_little_memory_is_not_started(tmp_path: Path) -> None:
    ended = duosuan("run", "demo", "--archive", str(tmp_path / "a"), memory=2000 * MEGABYTE)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith(f"error: {tmp_path / 'a'}/experiment=demo-")
    says = "a process may have 2,000 MB (ulimit -v), and Ray takes 4,000 MB (--inline plays without it)"
    assert f": Ray cannot be started: {says}; what is published stays; go on with: duosuan resume " in ended.stderr


@pytest.mark.parametrize(
    ("does", "says"),
    [
        (
            "raise ImportError('libodd.so: failed to map segment\\nfrom shared object')",
            "libodd.so: failed to map segment",
        ),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("raise MemoryError", "MemoryError"),
        ("raise OSError(12, 'Cannot allocate memory')", "[Errno 12] Cannot allocate memory"),
    ],
)
def test_a_library_that_cannot_be_loaded_is_one_line(tmp_path: Path, does: str, says: str) -> None:
    (tmp_path / "typer.py").write_text(does)
    ended = duosuan("list", beside=tmp_path)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"error: a library cannot be loaded: {says}")
    assert len(ended.stderr.splitlines()) == 1
