"""Designs of experiments: which values of its factors an experiment tries together."""

import itertools
from collections.abc import Callable, Mapping, Sequence

Value = str | bool | int | float
"""What a factor may be set to."""

Point = dict[str, Value]
"""A design point: one value for each factor."""


def grid(factors: Mapping[str, Sequence[Value]]) -> list[Point]:
    """Every combination of levels, the last factor changing fastest; one empty point without factors."""
    return [dict(zip(factors, levels, strict=True)) for levels in itertools.product(*factors.values())]


def one_at_a_time(factors: Mapping[str, Sequence[Value]]) -> list[Point]:
    """The base point, which has the first level of every factor, then each other level with the rest at the base."""
    base = {name: levels[0] for name, levels in factors.items()}
    return [base] + [{**base, name: level} for name, levels in factors.items() for level in levels[1:]]


DESIGNS: dict[str, Callable[[Mapping[str, Sequence[Value]]], list[Point]]] = {
    "grid": grid,
    "one_at_a_time": one_at_a_time,
}
"""Designs by the name that an experiment calls them by."""
