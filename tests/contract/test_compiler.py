"""The compiler changes nothing: whole games, byte for byte, with it on, off, without our additions, checking bounds."""

from collections.abc import Iterator

import pytest

from sim.compiled import PUBLIC_ONLY
from tests.games_elsewhere import GamesElsewhere
from tests.matches import every_match, first_matches, played, tables_of

ALL = every_match()
SOME = first_matches()


@pytest.mark.parametrize("match", ALL, ids=str)
def test_with_the_compiler_off(match, interpreted):
    assert interpreted.tables[match] == tables_of(played(match), *match.first(interpreted.most))


@pytest.mark.parametrize("match", SOME, ids=str)
def test_by_numbas_public_interface_alone(match, public):
    """What kernels are compiled by with a release of Numba that `sim.numba_private` is not written for."""
    assert public.tables[match] == tables_of(played(match), *match.first(public.most))


@pytest.mark.slow
@pytest.mark.parametrize("match", ALL, ids=str)
def test_all_by_numbas_public_interface_alone(match, public_all):
    assert public_all.tables[match] == tables_of(played(match), *match.first(public_all.most))


@pytest.fixture(scope="module")
def public_all(tmp_path_factory) -> Iterator[GamesElsewhere]:
    folder = tmp_path_factory.mktemp("public")
    other = GamesElsewhere(folder, ALL, 50, DUOSUAN_CACHE_DIR=str(folder / "cache"), **{PUBLIC_ONLY: "1"})
    yield other
    other.close()


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
