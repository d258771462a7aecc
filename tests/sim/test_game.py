"""Policies' numbers, buffers and batches."""

import numpy as np
import pytest

import sim
from sim.game import (
    BATCH_BYTES,
    BLUE,
    RECORD_LEVELS,
    RED,
    DoctrineField,
    Policy,
    at_turn,
    bytes_a_game,
    empty_record,
    games_a_batch,
)
from sim.rules_file import BadInput
from tests.matches import loaded

BOOK = sim.rulebook("barbarossa")
FIELDS = (
    DoctrineField("boldness", 0.5, "how bold", low=0, high=1),
    DoctrineField("reserve", 2, "units kept back"),
    DoctrineField("until", 4, "last turn in which it is bold", "turn", 0, 99, whole=True),
)
POLICY = Policy("bold", BLUE, "bold", (), FIELDS)


def test_a_doctrine_is_its_defaults_and_what_is_set():
    assert POLICY.numbers().tolist() == [0.5, 2.0, 4.0]
    assert POLICY.numbers({"reserve": 3}).tolist() == [0.5, 3.0, 4.0]
    for value in (5, 5.0, np.int64(5), np.float64(5)):
        assert POLICY.numbers({"until": value}).tolist() == [0.5, 2.0, 5.0]
    assert POLICY.numbers({"reserve": 2.5, "until": True}).tolist() == [0.5, 2.5, 1.0]
    assert Policy("none", BLUE, "no numbers").numbers().tolist() == [0.0]  # compiled code wants an array


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"boldnes": 1}, r"boldnes: policy bold has no such doctrine field: use .*did you mean boldness"),
        ({"boldness": 2}, r"boldness: 2 is wrong: policy bold takes a number from 0 to 1"),
        ({"boldness": -0.1}, "takes a number from 0 to 1"),
        ({"boldness": float("nan")}, "takes a number from 0 to 1"),
        ({"boldness": "1"}, "takes a number from 0 to 1"),
        ({"boldness": [1]}, r"\[1\] is wrong: policy bold takes a number from 0 to 1"),
        ({"reserve": float("inf")}, "takes a number from -1e"),
        ({"until": 2.5}, "until: 2.5 is wrong: policy bold takes a whole number from 0 to 99"),
        ({"until": 100}, "until: 100 is wrong: policy bold takes a whole number from 0 to 99"),
        ({"until": float("nan")}, "until: nan is wrong: policy bold takes a whole number from 0 to 99"),
        ({"until": float("inf")}, "until: inf is wrong: policy bold takes a whole number from 0 to 99"),
    ],
)
def test_a_wrong_doctrine_is_refused(settings, message):
    with pytest.raises(BadInput, match=message):
        POLICY.numbers(settings)


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_doctrines_of_the_policies_are_within_their_bounds_and_explained(rulebook):
    book = sim.rulebook(rulebook)
    for policy in book.policies:
        assert policy.summary
        assert policy.cost >= 1
        sides = (RED, BLUE) if policy.side is None else (policy.side,)
        assert all(len(policy.decisions) == len(book.decisions[side]) for side in sides)
        assert policy.numbers().dtype == np.float64
        assert len({field.name for field in policy.doctrine}) == len(policy.doctrine)
        for field in policy.doctrine:
            assert field.allows(field.default), (policy.name, field.name)
            assert field.meaning, (policy.name, field.name)


WHOLE_UNITS = {"unit", "turn", "game", "move", "attack"}  # what is counted one by one, and turns by their number


def test_some_numbers_of_doctrines_are_whole():
    books = map(sim.rulebook, sim.RULEBOOKS)
    assert any(field.whole for book in books for policy in book.policies for field in policy.doctrine)


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_turns_counts_and_choices_are_whole_numbers(rulebook):
    fields = [(policy, field) for policy in sim.rulebook(rulebook).policies for field in policy.doctrine]
    for policy, field in fields:
        if field.unit in WHOLE_UNITS or field.meaning.startswith(("whether ", "variant: ", "row of ")):
            with pytest.raises(BadInput, match=f"0.5 is wrong: policy {policy.name} takes a whole number"):
                policy.numbers({field.name: 0.5})


@pytest.mark.parametrize("level", RECORD_LEVELS)
def test_a_level_records_what_it_says(level):
    shape = BOOK.shape(loaded("barbarossa/blue")[0])
    record = empty_record(BOOK.tables, shape, 3, level)
    depth = RECORD_LEVELS.index(level)
    assert record.games.shape == (3,)
    assert record.sides.shape == (3, 11 if depth >= 1 else 0, 2)
    assert record.places.shape == (3, 11 if depth >= 1 else 0, 32)
    assert record.units.shape == (3, 11 if depth >= 2 else 0, 13)
    assert record.events.shape == (3, shape.events if depth >= 3 else 0)


@pytest.mark.parametrize("level", RECORD_LEVELS)
def test_a_batch_fits_its_memory(level):
    shape = BOOK.shape(loaded("barbarossa/barbarossa")[0])
    n = games_a_batch(BOOK, shape, level)
    assert 1 <= n <= 4096
    assert n * bytes_a_game(BOOK, shape, level) <= BATCH_BYTES
    assert n == 4096 or (n + 1) * bytes_a_game(BOOK, shape, level) > BATCH_BYTES


@pytest.mark.parametrize(("scenario", "first", "turns"), [("barbarossa", 1, 13), ("blue", 4, 10), ("uranus", 6, 8)])
def test_a_shape_is_that_of_the_scenario(scenario, first, turns):
    setup, names = loaded(f"barbarossa/{scenario}")
    shape = BOOK.shape(setup)
    assert (shape.first_turn, shape.turns, shape.units, shape.places) == (first, turns, 13, 32)
    assert (len(names.units), len(names.places), len(names.turns)) == (13, 32, 13)


def test_at_turn_leaves_the_setup_as_it_was():
    setup, _ = loaded("barbarossa/blue")
    before = [part.tobytes() for part in setup]
    state = setup.state[0]
    later = at_turn(setup, 9, state.sides, state.units[:13], state.places[:32])
    assert [part.tobytes() for part in setup] == before
    assert later.state[0].turn == 9
    assert BOOK.shape(later).turns == 5


def test_at_turn_takes_what_the_rows_have():
    """Rows from an archive are narrower and lack what lives only within a turn."""
    setup, _ = loaded("barbarossa/blue")
    state = setup.state[0]
    units = np.zeros(13, [("region", "i1"), ("status", "i1")])
    units["region"] = 5
    later = at_turn(setup, 9, state.sides, units, state.places[:32])
    assert (later.state[0].units["region"][:13] == 5).all()
    assert (later.state[0].units["nation"][:13] == state.units["nation"][:13]).all()
