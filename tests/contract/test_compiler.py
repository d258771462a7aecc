"""The compiler changes nothing: whole games, byte for byte, with it on, off and with its bounds check."""

from collections.abc import Iterator

import pytest

from tests.games_elsewhere import GamesElsewhere
from tests.matches import every_match, played, tables_of

ALL = every_match()


@pytest.mark.parametrize("match", ALL, ids=str)
def test_with_the_compiler_off(match, interpreted):
    assert interpreted.tables[match] == tables_of(played(match), *match.first(interpreted.most))


@pytest.fixture(scope="module")
def checked(tmp_path_factory) -> Iterator[GamesElsewhere]:
    folder = tmp_path_factory.mktemp("checked")
    other = GamesElsewhere(folder, ALL, 50, NUMBA_BOUNDSCHECK="1", DUOSUAN_CACHE_DIR=str(folder / "cache"))
    yield other
    other.close()


@pytest.mark.slow
@pytest.mark.parametrize("match", ALL, ids=str)
def test_with_every_index_checked(match, checked):
    """An index out of bounds is an error there; without the check it reads garbage in silence."""
    assert checked.tables[match] == tables_of(played(match), *match.first(checked.most))
