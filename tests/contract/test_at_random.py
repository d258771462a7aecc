"""Games of a policy that does anything legal, from many seeds and under many options."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.barbarossa_checks import CHECKS
from tests.barbarossa_games import ANYTHING
from tests.matches import Match, loaded, played_anew

OPTIONS = {
    "vacated": ["at_once", "phase_end", "garrison"],
    "lone_unit_may_attack": [True, False],
    "five": ["reroll", "two_attacks"],
    "second_name": ["tie_break", "when_first_is_soviet"],
    "fuhrer_order": [False, True],
}
NUMBERS = {"attack.d3": [1, 2, 3], "reinforcements.returns_after": [1, 3, 6], "reinforcements.each_turn": [0, 1, 3],
           "soviet_results.losses": [0, 1, 3], "attack.modifier_german.1941": [-5, 3, 9]}  # fmt: skip


def choices(table):
    return st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in table.items()})


@pytest.mark.parametrize("scenario", ["barbarossa", "blue", "uranus"])
@settings(max_examples=25)
@given(
    options=choices(OPTIONS),
    numbers=choices(NUMBERS),
    red=st.sampled_from(["difficult", "easy", "random"]),
    replications=st.lists(st.integers(0, 2**64 - 1), min_size=4, max_size=4),
)
def test_checks_hold_whatever_the_rules_and_the_dice(scenario, options, numbers, red, replications):
    named = {f"options.{name}": value for name, value in options.items()}
    named |= {f"rules.{name}": value for name, value in numbers.items()}
    match = Match(f"barbarossa/{scenario}", red, ANYTHING, tuple(named.items()))
    record = played_anew(match, replications)
    assert (record.games["fault"] == 0).all()
    for check in CHECKS:
        check(*loaded(match.scenario, match.settings), record)
