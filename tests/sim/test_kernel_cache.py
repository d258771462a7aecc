"""Compiled code that is damaged, or of something else, is compiled anew; where none can be kept, games are played."""

import functools
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import njit, types
from numba.core.dispatcher import Dispatcher

from sim.compiled import SOURCES, cache_folder, compiled
from sim.kernel_cache import KernelFiles, _tell
from tests.matches import Match, played

SIGNATURE = types.int64(types.int64)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, empty."""
    monkeypatch.setenv("DUOSUAN_CACHE_DIR", str(tmp_path / "cache"))
    _tell.cache_clear()
    return tmp_path / "cache"


def doubled(number):
    return 2 * number


def tripled(number):
    return 3 * number


def fetched(function: Callable[[int], int]) -> Dispatcher:
    """A function, as if it were one of ours, as a process that has just started compiles it or fetches it."""
    function.__module__ = "duosuan_policy_of_a_test"
    sys.modules.setdefault(function.__module__, sys.modules[__name__])
    return compiled(njit(cache=True)(function), SIGNATURE)


def was_kept(function: Dispatcher) -> bool:
    return bool(function.stats.cache_hits)


def only_file(folder: Path, name: str) -> Path:
    (file,) = folder.rglob(f"*{name}*.nbc")
    return file


def flip(file: Path, place: int) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)


def make_folder_of(file: Path) -> None:
    file.unlink()
    file.mkdir()


DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: os.truncate(file, 0),
    "cut within the digest": lambda file: os.truncate(file, 20),
    "cut": lambda file: os.truncate(file, file.stat().st_size // 2),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"\0"),
    "a bit of the digest": lambda file: flip(file, 5),
    "a bit of the key": lambda file: flip(file, 60),
    "a bit of the code": lambda file: flip(file, -1000),
    "zeros": lambda file: file.write_bytes(bytes(file.stat().st_size)),
    "text": lambda file: file.write_text("cos\nsystem\n(S'false'\ntR."),
    "gone": lambda file: file.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_code_is_compiled_anew_and_kept(folder: Path, damage: str) -> None:
    assert not was_kept(fetched(doubled))
    assert was_kept(fetched(doubled))
    DAMAGE[damage](only_file(folder, "doubled"))
    anew = fetched(doubled)
    assert not was_kept(anew)
    assert anew(21) == 42
    assert was_kept(fetched(doubled))
    assert [file.suffix for file in folder.rglob("*.*") if file.is_file()] == [".nbc"]


def test_what_cannot_be_read_or_replaced_is_told_of_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fetched(doubled)
    make_folder_of(only_file(folder, "doubled"))
    assert [fetched(doubled)(number) for number in (1, 2)] == [2, 4]
    told = f"compiled code cannot be kept in {folder}/kernels: Is a directory; every start compiles anew"
    assert capfd.readouterr().err.splitlines() == [f"{told} (DUOSUAN_CACHE_DIR names another folder)"]


def test_code_of_another_function_is_not_taken_for_ones_own(folder: Path) -> None:
    fetched(doubled), fetched(tripled)
    shutil.copy(only_file(folder, "tripled"), only_file(folder, "doubled"))
    assert fetched(doubled)(7) == 14


def test_code_of_another_state_of_the_sources_is_not_taken_for_that_of_this(tmp_path: Path) -> None:
    KernelFiles(tmp_path / "turn-1", "play").save("signature", "code")
    assert KernelFiles(tmp_path / "turn-1", "play").load("signature") == "code"
    assert KernelFiles(tmp_path / "turn-1", "play").load("another") is None
    shutil.copytree(tmp_path / "turn-1", tmp_path / "turn-2")
    assert KernelFiles(tmp_path / "turn-2", "play").load("signature") is None


@pytest.mark.parametrize("place", ["a file", "/proc/no/such", "a" * 300])
def test_a_folder_that_cannot_be_made_costs_no_more_than_time(tmp_path, monkeypatch, capfd, place) -> None:
    _tell.cache_clear()
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("DUOSUAN_CACHE_DIR", str(tmp_path / place))
    assert fetched(doubled)(4) == 8
    assert fetched(tripled)(4) == 12
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"compiled code cannot be kept in {tmp_path / place}/kernels: ")
    assert not list(SOURCES.rglob("*.nbc"))


@pytest.fixture
def warm(tmp_path: Path) -> Path:
    """A cache with what one game of Barbarossa takes."""
    played(Match("barbarossa/blue", "easy", "hold"))  # so that it is in the cache of this machine
    shutil.copytree(cache_folder(), tmp_path / "warm", ignore=shutil.ignore_patterns("first_contact*", "tank_hex*"))
    return tmp_path / "warm"


def play(cache: Path, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    words = ["play", "barbarossa/blue", "--blue", "hold", "--red", "easy"]
    return subprocess.run(
        [sys.executable, "-m", "cluster", *words],
        cwd=SOURCES.parent,
        env={**os.environ, "DUOSUAN_CACHE_DIR": str(cache)},
        preexec_fn=functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit)) if limit else None,
        capture_output=True,
        text=True,
        timeout=300,
    )


def check_game(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("Soviet major victory: 0 Axis regions")


def test_a_game_is_played_with_damaged_code_of_its_policy(warm: Path) -> None:
    for damage, file in zip(DAMAGE.values(), warm.rglob("*barbarossa.poli*/*.nbc"), strict=False):
        damage(file)
    check_game(play(warm))


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_game_is_played_with_whatever_damage(warm: Path, damage: str) -> None:
    for file in list(warm.rglob("*.nbc")):
        DAMAGE[damage](file)
    done = play(warm)
    check_game(done)
    assert "cannot be kept" not in done.stderr


@pytest.mark.slow
def test_a_game_is_played_with_a_full_cache(tmp_path: Path) -> None:
    done = play(tmp_path / "cache", limit=10_000)
    check_game(done)
    lines = [line for line in done.stderr.splitlines() if "cannot be kept" in line]
    assert lines == [lines[0]]
    assert f"cannot be kept in {tmp_path}/cache/kernels: File too large; " in lines[0]
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]
