"""Starts the games with the compiler off when the tests start: they take as long as many of the others."""

import tempfile
from pathlib import Path

import pytest

from tests.games_elsewhere import GamesElsewhere
from tests.matches import every_match

FOLDER = pytest.StashKey[tempfile.TemporaryDirectory[str]]()
INTERPRETED = pytest.StashKey[GamesElsewhere]()


def pytest_collection_finish(session: pytest.Session) -> None:
    wanted = any("interpreted" in getattr(item, "fixturenames", ()) for item in session.items)
    if wanted and not session.config.option.collectonly:
        session.stash[FOLDER] = folder = tempfile.TemporaryDirectory()
        session.stash[INTERPRETED] = GamesElsewhere(Path(folder.name), every_match(), 1, NUMBA_DISABLE_JIT="1")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if INTERPRETED in session.stash:
        session.stash[INTERPRETED].close()
        session.stash[FOLDER].cleanup()


@pytest.fixture(scope="session")
def interpreted(request: pytest.FixtureRequest) -> GamesElsewhere:
    return request.session.stash[INTERPRETED]
