"""Designs of experiments."""

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cluster.design import DESIGNS, Design, Factor, correlations, points_of, units_of
from cluster.nearly_orthogonal import MOST_CORRELATION, SIZES, designs, largest_correlation, search
from sim.rules_file import BadInput

HERE = Path(__file__).parent


def factors_of(given: dict) -> dict[str, Factor]:
    return {name: Factor.model_validate(value) for name, value in given.items()}


def points(design: object, given: dict, folder: Path = HERE) -> list[dict]:
    return points_of(Design.model_validate(design), factors_of(given), folder)


FACTORS = {"options.five": ["reroll", "two_attacks"], "rules.attack.d3": [2, 3, 6]}
RANGES = {
    "options.five": ["reroll", "two_attacks"],
    "rules.attack.d3": {"low": 1, "high": 6, "unit": "faces"},
    "doctrine.blue.loss": {"low": 0.5, "high": 2.5},
}
factors = st.dictionaries(
    st.text("abc", min_size=1), st.lists(st.integers(), min_size=1, max_size=4, unique=True), max_size=4
)


def test_a_grid_has_every_combination_the_last_factor_changing_fastest() -> None:
    assert [tuple(point.values()) for point in points("grid", FACTORS)] == [
        ("reroll", 2),
        ("reroll", 3),
        ("reroll", 6),
        ("two_attacks", 2),
        ("two_attacks", 3),
        ("two_attacks", 6),
    ]


def test_one_at_a_time_leaves_the_rest_at_the_first_level() -> None:
    assert [tuple(point.values()) for point in points("one_at_a_time", FACTORS)] == [
        ("reroll", 2),
        ("two_attacks", 2),
        ("reroll", 3),
        ("reroll", 6),
    ]


def test_without_factors_there_is_one_empty_point() -> None:
    assert points("grid", {}) == points("one_at_a_time", {}) == [{}]


@given(factors)
def test_points_are_all_different_and_have_every_factor(given) -> None:
    for design, count in (
        ("grid", math.prod(map(len, given.values()))),
        ("one_at_a_time", 1 + sum(len(levels) - 1 for levels in given.values())),
    ):
        found = points(design, given)
        assert len(found) == count == len({tuple(point.items()) for point in found})
        assert all(point.keys() == given.keys() for point in found)
        assert all(point[name] in levels for point in found for name, levels in given.items())


@pytest.mark.parametrize(
    ("factor", "levels"),
    [
        ({"low": 1, "high": 5, "steps": 3}, [1, 3, 5]),
        ({"low": 0.0, "high": 1.0, "steps": 4}, [0.0, 0.333333, 0.666667, 1.0]),
        ({"levels": ["a", "b"], "unit": "letters"}, ["a", "b"]),
        ([True, False], [True, False]),
    ],
)
def test_levels_of_a_factor(factor, levels) -> None:
    assert [point["x"] for point in points("grid", {"x": factor})] == levels


def test_a_latin_hypercube_has_each_factor_once_in_each_stratum() -> None:
    found = points({"kind": "latin_hypercube", "points": 12, "seed": 3}, RANGES)
    loss = sorted(point["doctrine.blue.loss"] for point in found)
    # Twelve strata of 2 / 12 each, and the middle of each of them.
    assert loss == pytest.approx([0.5 + (i + 0.5) * 2 / 12 for i in range(12)], abs=1e-5)
    assert [sum(point["options.five"] == level for point in found) for level in RANGES["options.five"]] == [6, 6]
    whole = [point["rules.attack.d3"] for point in found]
    assert {type(value) for value in whole} == {int}
    assert (min(whole), max(whole)) == (1, 6)
    assert found == points({"kind": "latin_hypercube", "points": 12, "seed": 3}, RANGES)
    assert found != points({"kind": "latin_hypercube", "points": 12, "seed": 4}, RANGES)


def test_a_sobol_sequence_fills_every_half_quarter_and_eighth_evenly() -> None:
    found = points({"kind": "sobol", "points": 8}, {"a": {"low": 0.0, "high": 8.0}, "b": {"low": 0.0, "high": 8.0}})
    for name in "ab":
        assert sorted(int(point[name]) for point in found) == list(range(8))


@pytest.mark.parametrize(("most", "size"), SIZES)
def test_nearly_orthogonal_designs_are_what_they_say(most, size) -> None:
    levels = designs()[size]
    assert levels.shape == (size, most)
    assert (np.sort(levels, axis=0) == np.arange(size)[:, None]).all()
    assert largest_correlation(levels) <= MOST_CORRELATION
    told = next(line for line in TEXT.split("[[design]]") if f"points = {size}\n" in line)
    assert f"largest_correlation = {largest_correlation(levels):.4f}\n" in told


TEXT = (HERE.parents[1] / "cluster" / "nearly_orthogonal.toml").read_text()


def test_a_search_finds_such_a_design() -> None:
    levels = search(7, 17, np.random.default_rng(1))
    assert (np.sort(levels, axis=0) == np.arange(17)[:, None]).all()
    assert largest_correlation(levels) <= MOST_CORRELATION


@pytest.mark.parametrize(("count", "size"), [(1, 17), (7, 17), (8, 33), (12, 65)])
def test_the_smallest_nearly_orthogonal_design_is_taken(count, size) -> None:
    given = {f"x{i}": {"low": 0.0, "high": 1.0} for i in range(count)}
    found = points("nearly_orthogonal", given)
    assert len(found) == size
    assert all({min(p[name] for p in found), max(p[name] for p in found)} == {0.0, 1.0} for name in given)
    names, matrix = correlations(found)
    assert names == list(given)
    assert np.abs(matrix - np.eye(count)).max() <= MOST_CORRELATION


def test_points_that_come_to_the_same_are_there_once() -> None:
    found = points({"kind": "latin_hypercube", "points": 40}, {"x": {"low": 1, "high": 3}})
    assert sorted(point["x"] for point in found) == [1, 2, 3]


def test_a_list_is_taken_as_it_is(tmp_path: Path) -> None:
    rows = [{"options.five": "reroll", "rules.attack.d3": 2}, {"options.five": "two_attacks", "rules.attack.d3": 6}]
    assert points({"kind": "list", "rows": rows}, {}) == rows
    (tmp_path / "points.csv").write_text("options.five,rules.attack.d3\nreroll,2\ntwo_attacks,6\n")
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "points.parquet")
    for name in ("points.csv", "points.parquet"):
        assert points({"kind": "list", "file": name}, {}, tmp_path) == rows


def test_correlations() -> None:
    # x rises with y; the levels of z come in the order low, high: 0, 1, 0, 1 against 1, 2, 3, 4 is 1 / sqrt(5).
    found = [{"x": i, "y": 2 * i, "z": z, "same": 1} for i, z in zip((1, 2, 3, 4), ("low", "high") * 2, strict=True)]
    names, matrix = correlations(found)
    assert names == ["x", "y", "z"]
    assert matrix[0].tolist() == pytest.approx([1, 1, 1 / math.sqrt(5)])


def test_units() -> None:
    assert units_of(factors_of(RANGES)) == {"rules.attack.d3": "faces"}


@pytest.mark.parametrize(
    ("design", "given", "message"),
    [
        ("grid", {"x": {"low": 0, "high": 1}}, "factors.x: is a range: give it `steps`"),
        ({"kind": "sobol", "points": 20}, RANGES, "design.points: 20 is no power of 2: use 16 or 32"),
        ({"kind": "nearly_orthogonal", "points": 17}, {f"x{i}": [1, 2] for i in range(8)}, "none for 8 factors"),
        ({"kind": "list", "rows": [{"x": 1}]}, FACTORS, "leave out the factors"),
        ({"kind": "list", "rows": [{"x": 1}, {"y": 1}]}, {}, "point 1 has not a value for each of x"),
        ({"kind": "list", "file": "none.csv"}, {}, "none.csv: there is no such file"),
        ({"kind": "list", "file": "none.xls"}, {}, "ends in '.xls': use .csv or .parquet"),
        (
            "grid",
            {f"x{i}": {"low": 1, "high": 10, "steps": 10} for i in range(6)},
            "make more than 100000 points in a grid design",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(design, given, message) -> None:
    with pytest.raises(BadInput) as caught:
        points(design, given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "given", "message"),
    [
        (Design, "grit", "'grit' is wrong: use grid, one_at_a_time"),
        (Design, {"kind": "grid", "points": 5}, "points is not for a design of the kind 'grid'"),
        (Design, "latin_hypercube", "points are missing"),
        (Design, "list", "needs either rows or a file"),
        (Factor, {"low": 2, "high": 1}, "low = 2 is not below high = 1"),
        (Factor, {"low": 2}, "needs levels, or low and high"),
        (Factor, {"levels": [1], "low": 2}, "has levels: leave out"),
        (Factor, {"low": 1, "high": 3, "steps": 4}, "there are 3 whole numbers"),
        (Factor, [1, 1], "a level is there twice"),
    ],
)
def test_wrong_tables_are_refused(model, given, message) -> None:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(given)
    assert message in str(caught.value)


def test_every_kind_is_described() -> None:
    assert all(kind.make.__doc__ for kind in DESIGNS.values())
