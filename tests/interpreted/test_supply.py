"""Isolation (BB-3.3) against its slow twin, from any position of the map."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from sim.barbarossa.state import NOWHERE
from tests.barbarossa_positions import map_document, soviet_only
from tests.naive_supply import cut_off

REGIONS = list(map_document()["regions"])


@given(st.sets(st.sampled_from(REGIONS[1:])))
@example(set())
@example(set(REGIONS[1:]))
@settings(max_examples=100)
def test_isolation_is_that_of_a_flood_fill(soviet):
    """Berlin has a unit; every other region is Soviet or has a garrison."""
    table = soviet_only("S42", " ".join(name.replace("Velikje ", "") for name in soviet), {"Berlin": "G1"})
    board = table.game.board
    links = [
        {int(other) for other in (*board.neighbours[place], *board.overseas[place]) if other != NOWHERE}
        for place in range(len(REGIONS))
    ]
    sources = {place for place in range(len(REGIONS)) if board.is_source[place]}
    expected = cut_off({REGIONS.index(name) for name in soviet}, sources, links)
    assert table.isolate() == len(expected)
    assert table.soviet() == soviet - {REGIONS[place] for place in expected}
    decided = table.state.sides[1].decided
    assert (decided > 0) == (not soviet & {REGIONS[place] for place in sources})
