"""Designs of experiments."""

import math

from hypothesis import given
from hypothesis import strategies as st

from cluster.design import grid, one_at_a_time

FACTORS = {"options.five": ["reroll", "two_attacks"], "rules.attack.d3": [2, 3, 6]}
factors = st.dictionaries(
    st.text("abc", min_size=1), st.lists(st.integers(), min_size=1, max_size=4, unique=True), max_size=4
)


def test_a_grid_has_every_combination_the_last_factor_changing_fastest() -> None:
    assert [tuple(point.values()) for point in grid(FACTORS)] == [
        ("reroll", 2),
        ("reroll", 3),
        ("reroll", 6),
        ("two_attacks", 2),
        ("two_attacks", 3),
        ("two_attacks", 6),
    ]


def test_one_at_a_time_leaves_the_rest_at_the_first_level() -> None:
    assert [tuple(point.values()) for point in one_at_a_time(FACTORS)] == [
        ("reroll", 2),
        ("two_attacks", 2),
        ("reroll", 3),
        ("reroll", 6),
    ]


def test_without_factors_there_is_one_empty_point() -> None:
    assert grid({}) == one_at_a_time({}) == [{}]


@given(factors)
def test_points_are_all_different_and_have_every_factor(given) -> None:
    for design, count in (
        (grid, math.prod(map(len, given.values()))),
        (one_at_a_time, 1 + sum(len(levels) - 1 for levels in given.values())),
    ):
        points = design(given)
        assert len(points) == count == len({tuple(point.items()) for point in points})
        assert all(point.keys() == given.keys() for point in points)
        assert all(point[name] in levels for point in points for name, levels in given.items())
