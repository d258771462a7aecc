"""The compiler changes nothing: whole games, byte for byte, with it on, off and with its bounds check."""

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.matches import Match, matches, played, shortened, tables_of, wild_matches

ALL = [shortened(match) for match in (*matches(), *wild_matches())]
ROOT = Path(__file__).parent.parent.parent


class Elsewhere:
    """Games that a process with another environment plays in the meantime."""

    def __init__(self, folder: Path, chosen: list[Match], games: int, **environment: str) -> None:
        self.most = games
        self.results = folder / "results"
        (folder / "matches").write_bytes(pickle.dumps(chosen))
        arguments = [str(folder / "matches"), str(games), str(self.results)]
        self.said = folder / "said"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.matches", *arguments],
                cwd=ROOT, env={**os.environ, **environment}, stdout=said, stderr=said,
            )  # fmt: skip

    def tables(self, match: Match) -> dict[str, bytes]:
        assert self.process.wait() == 0, self.said.read_text(errors="replace")
        return pickle.loads(self.results.read_bytes())[match]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory) -> Iterator[Elsewhere]:
    other = Elsewhere(tmp_path_factory.mktemp("interpreted"), ALL, 1, NUMBA_DISABLE_JIT="1")
    yield other
    other.close()


@pytest.mark.parametrize("match", ALL, ids=str)
def test_with_the_compiler_off(match, interpreted):
    assert interpreted.tables(match) == tables_of(played(match), *match.first(interpreted.most))


@pytest.fixture(scope="module")
def checked(tmp_path_factory) -> Iterator[Elsewhere]:
    folder = tmp_path_factory.mktemp("checked")
    other = Elsewhere(folder, ALL, 50, NUMBA_BOUNDSCHECK="1", DUOSUAN_CACHE_DIR=str(folder / "cache"))
    yield other
    other.close()


@pytest.mark.slow
@pytest.mark.parametrize("match", ALL, ids=str)
def test_with_every_index_checked(match, checked):
    """An index out of bounds is an error there; without the check it reads garbage in silence."""
    assert checked.tables(match) == tables_of(played(match), *match.first(checked.most))
