"""What Barbarossa counts as units come and go and regions change hands is what counting anew would give."""

import pytest

from sim.barbarossa.rules.game import count_anew
from sim.barbarossa.state import NOWHERE
from sim.game import play
from tests.matches import SEED, loaded, wild_matches


def counted(state) -> dict[str, list]:
    """All that `count_anew` writes into a state."""
    here = [i for i in range(state.n_units) if state.units[i].region != NOWHERE]
    return {
        "territory": state.sides["territory"].tolist(),
        "units": state.places["units"].tolist(),
        "front": state.places["front"].tolist(),
        "fronts": state.fronts[: state.n_fronts].tolist(),
        "soviet_lines": state.soviet_lines[: state.n_places].tolist(),
        "stacks": state.stacks.tolist(),
        "first_in": state.first_in[: state.n_places].tolist(),
        "next_in": [int(state.next_in[i]) for i in here],
        "by_status": state.by_status.tolist(),
        "in_play": state.in_play.tolist(),
    }


@pytest.mark.parametrize("match", [match for match in wild_matches() if match.rulebook == "barbarossa"], ids=str)
def test_counts_are_those_of_counting_anew(match):
    """BB-1.3, BB-1.6, at every decision of a game of anything legal, under options of all kinds."""
    asked = 0

    def watch(decide):
        def decided(game, doctrine, memory, subject, order):
            nonlocal asked
            asked += 1
            anew = game.state.copy()
            count_anew(game.board, anew)
            assert counted(anew) == counted(game.state)
            return decide(game, doctrine, memory, subject, order)

        return decided

    setup, _ = loaded(match.scenario, match.settings)
    red, blue = match.players
    watched = blue._replace(policy=blue.policy._replace(decisions=tuple(map(watch, blue.policy.decisions))))
    play(match.book, setup, red, watched, SEED, [0])
    assert asked > 20
