"""A policy that answers nonsense ends its own game with a fault, and no other."""

import numpy as np
import pytest

import sim
import sim.barbarossa.state as st
from sim.barbarossa.seat import DECISIONS
from sim.game import BLUE, RED, Player, Policy, play
from tests.matches import SEED, loaded, tables_of
from tests.wild import NONSENSE, WILD, nonsense

BOOK = sim.rulebook("barbarossa")
FLEXIBLE = (("options.flexible_deployment", True),)
FAR = 2**62
GAMES = 120


def broken(decision: str, value: int, order: int = -1, base: Policy = WILD) -> Player:
    """A policy of which one decision always gives the same answer."""
    decisions = [nonsense if name == decision else own for name, own in zip(DECISIONS, base.decisions, strict=True)]
    return Player(Policy("broken", BLUE, "broken", tuple(decisions), NONSENSE), np.array([value, order], float))


def games(scenario: str, blue: Player, replications=range(GAMES), settings=()):
    red = BOOK.policy("difficult", RED)
    setup, _ = loaded(f"barbarossa/{scenario}", settings)
    return play(BOOK, setup, Player(red, red.numbers()), blue, SEED, list(replications), level="events")


WILD_PLAYER = Player(WILD, np.zeros(1))


@pytest.mark.parametrize("value", [-2, 24, 13, FAR, -FAR])
def test_a_unit_that_does_not_exist_moves(value):
    record = games("barbarossa", broken("move", value, 0))
    assert {st.FAULTS[fault] for fault in record.games["fault"]} == {"bad_move"}
    assert (record.games["fault_turn"] == 1).all()
    assert (record.games["fault_value"] == value).all()


@pytest.mark.parametrize(
    ("decision", "value", "order", "fault"),
    [
        ("move", 0, FAR, "bad_move"),  # to nowhere
        ("move", 0, -1, "bad_move"),
        ("move", 0, 12, "bad_move"),  # to a Soviet region
        ("attack", FAR, 0, "bad_attack"),
        ("attack", 9, FAR, "bad_attack"),
        ("attack", 9, -FAR, "bad_attack"),
        ("attack", 9, -1, "bad_attack"),  # by nobody
        ("attack", 9, 0, "bad_attack"),  # by one unit many times
        ("lose", FAR, 0, "bad_loss"),
        ("lose", -1, 0, "bad_loss"),
        ("answer", 2, 0, "bad_answer"),
        ("answer", -FAR, 0, "bad_answer"),
        ("retreat", 32, 0, "bad_retreat"),
        ("retreat", -1, 0, "bad_retreat"),
        ("place", 40, 0, "bad_placement"),
        ("place", -1, 0, "bad_placement"),
        ("give_up", 0, 0, "bad_nation"),
        ("give_up", FAR, 0, "bad_nation"),
    ],
)
def test_nonsense_is_a_fault_and_other_games_are_as_they_were(decision, value, order, fault):
    scenario = "uranus" if decision in {"retreat", "answer", "give_up"} else "barbarossa"
    replications = range(500, 560) if decision == "give_up" else range(GAMES)  # it is seldom asked
    record = games(scenario, broken(decision, value, order), replications)
    failed = record.games["fault"] != st.NO_FAULT
    assert {st.FAULTS[number] for number in record.games["fault"][failed]} == {fault}
    assert (record.games["end_reason"][failed] == st.FAILED).all()
    for name in ("winner", "outcome", "margin", "blue_territory"):
        empty = next(field.empty for field in st.GAMES if field.name == name)
        assert (record.games[name][failed] == empty).all()
    # Games that were never asked are those of the whole policy.
    whole = games(scenario, WILD_PLAYER, replications)
    for game in np.flatnonzero(~failed)[:20]:
        assert tables_of(record, game) == tables_of(whole, game)
    # A game is the same after one that failed.
    last = int(np.flatnonzero(failed)[-1])
    alone = games(scenario, broken(decision, value, order), [replications[last]])
    assert tables_of(alone, 0) == tables_of(record, last)


@pytest.mark.parametrize("value", [-1, 9, 32, FAR])
def test_a_deployment_out_of_bounds(value):
    """Region 9 is Kurland, Soviet."""
    record = games("barbarossa", broken("deploy", value), range(3), FLEXIBLE)
    assert {st.FAULTS[fault] for fault in record.games["fault"]} == {"bad_deployment"}
    assert (record.event_count == 0).all()


def test_a_game_that_failed_stands_still_in_its_record():
    """What is recorded after the fault is the position that it left: no memory that was never written."""
    record = games("uranus", broken("answer", 9), range(50))
    shape = BOOK.shape(loaded("barbarossa/uranus")[0])
    failed = np.flatnonzero(record.games["fault"] != st.NO_FAULT)
    for game in failed:
        entry = int(record.games[game]["fault_turn"]) - shape.first_turn + 1
        for table in (record.units, record.places, record.sides):
            rows = table[game, entry:]
            assert (rows == rows[0]).all()


def test_a_wrong_side_or_name_is_refused():
    with pytest.raises(sim.rules_file.BadInput, match=r"has no policy 'holdd' for blue: use .*did you mean hold\?"):
        BOOK.policy("holdd", BLUE)
    with pytest.raises(sim.rules_file.BadInput, match="has no policy 'hold' for red"):
        BOOK.policy("hold", RED)


def test_a_game_without_a_mirror_is_not_mirrored():
    red = BOOK.policy("easy", RED)
    setup, _ = loaded("barbarossa/uranus")
    with pytest.raises(ValueError, match="cannot be mirrored"):
        play(BOOK, setup, Player(red, red.numbers()), WILD_PLAYER, 1, [0], mirror=True)
