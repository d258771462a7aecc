"""Starts games that are compiled in other ways when the tests start: they take as long as many of the others."""

import tempfile
from pathlib import Path

import pytest

from sim.compiled import PUBLIC_ONLY
from tests.games_elsewhere import GamesElsewhere
from tests.matches import every_match, first_matches

FOLDER = pytest.StashKey[tempfile.TemporaryDirectory[str]]()
STARTED = pytest.StashKey[dict[str, GamesElsewhere]]()


def pytest_collection_finish(session: pytest.Session) -> None:
    wanted = {name for item in session.items for name in getattr(item, "fixturenames", ())}
    if session.config.option.collectonly:
        return
    session.stash[FOLDER] = folder = tempfile.TemporaryDirectory()
    session.stash[STARTED] = started = {}
    if "interpreted" in wanted:
        started["interpreted"] = _elsewhere(folder, "interpreted", every_match(), NUMBA_DISABLE_JIT="1")
    if "public" in wanted:
        started["public"] = _elsewhere(folder, "public", first_matches(), **{PUBLIC_ONLY: "1"})


def _elsewhere(folder, name, chosen, **environment) -> GamesElsewhere:
    own = Path(folder.name, name)
    own.mkdir()
    return GamesElsewhere(own, chosen, 1, **environment)


def pytest_sessionfinish(session: pytest.Session) -> None:
    for other in session.stash.get(STARTED, {}).values():
        other.close()
    if FOLDER in session.stash:
        session.stash[FOLDER].cleanup()


@pytest.fixture(scope="session")
def interpreted(request: pytest.FixtureRequest) -> GamesElsewhere:
    return request.session.stash[STARTED]["interpreted"]


@pytest.fixture(scope="session")
def public(request: pytest.FixtureRequest) -> GamesElsewhere:
    return request.session.stash[STARTED]["public"]
