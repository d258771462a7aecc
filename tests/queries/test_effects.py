"""What factors do, against closed forms, published values and a library's estimates."""

import itertools

import numpy as np
import pytest
from scipy.stats import qmc, sobol_indices, uniform

from queries import effects

# Slopes


def test_slopes_are_found_within_replications():
    generator = np.random.default_rng(7)
    design = generator.random((40, 2)) * [10, 1]
    luck = generator.normal(0, 50, (30, 1))  # common to all points of a replication
    outcomes = 3 * design[:, 0] - 5 * design[:, 1] + luck + generator.normal(0, 1, (30, 40))
    found, standard = effects.slopes(design, outcomes)
    assert found.value == pytest.approx([3, -5], abs=0.2)
    assert (found.low < [3, -5]).all()
    assert (found.high > [3, -5]).all()
    assert standard == pytest.approx(found.value * design.std(axis=0) / outcomes.std())


def test_slopes_refuse_a_design_that_moves_two_factors_as_one():
    with pytest.raises(ValueError, match="tell its factors apart"):
        effects.slopes([[1, 2], [2, 4], [3, 6]], np.zeros((2, 3)))


# Interactions


def test_an_interaction_is_a_difference_of_differences():
    # Two replications of one context; luck moves all four games of a replication alike.
    base, first, second, both = ([[10.0], [20.0]], [[11.0], [22.0]], [[13.0], [23.0]], [[17.0], [27.0]])
    found = effects.interaction(base, first, second, both)
    # 17 - 13 - (11 - 10) = 3 and 27 - 23 - (22 - 20) = 2: mean 2.5, and 12.7062 x 0.7071 / sqrt(2) = 6.3531.
    assert (found.value, found.n) == (2.5, 2)
    assert (found.low, found.high) == (pytest.approx(-3.8531, abs=1e-4), pytest.approx(8.8531, abs=1e-4))


def test_products_of_factors_are_regressed_as_interactions():
    design = np.array(list(itertools.product([0.0, 10.0], [1.0, 3.0], [0.0, 1.0])))
    x, pairs = effects.crossed(design, "abc")
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    luck = np.random.default_rng(1).normal(0, 5, (20, 1))
    found, _ = effects.slopes(x, luck + design[:, 0] + 0.5 * design[:, 0] * design[:, 1])
    # At the middle of the others: 1 + 0.5 x 2, and 0.5 x 5.
    assert found.value == pytest.approx([2, 2.5, 0, 0.5, 0, 0], abs=1e-9)


def test_levels_of_one_factor_are_not_multiplied():
    x, pairs = effects.crossed(np.eye(3), ["a", "a", "b"])
    assert pairs == [(0, 2), (1, 2)]
    assert x[:, 3].tolist() == [-0.25, 0.25, -0.25]


# Sobol's indices


def ishigami(x):
    """T. Ishigami and T. Homma, 1990, with a = 7 and b = 0.1: a test of sensitivity analysis since then."""
    return np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])


FIRST = [0.3139, 0.4424, 0.0]
TOTAL = [0.5576, 0.4424, 0.2437]
"""Of Ishigami's function, in closed form."""


def points(n: int, factors: int = 3) -> np.ndarray:
    return np.pi * (2 * qmc.Sobol(factors, rng=1).random(n) - 1)


def test_indices_of_ishigamis_function():
    x = points(512)
    found = effects.indices(x.T.tolist(), np.tile(ishigami(x), (2, 1)))
    assert found is not None
    assert found.explained > 0.99
    assert found.first.value == pytest.approx(FIRST, abs=0.01)
    assert found.total.value == pytest.approx(TOTAL, abs=0.01)


def test_indices_are_those_that_a_design_made_for_them_gives():
    func = {"func": lambda x: ishigami(x.T), "dists": [uniform(-np.pi, 2 * np.pi)] * 3, "n": 4096}
    library = sobol_indices(**func, rng=2)
    x = points(256)
    found = effects.indices(x.T.tolist(), np.tile(ishigami(x), (2, 1)))
    assert found is not None
    assert found.first.value == pytest.approx(library.first_order, abs=0.03)
    assert found.total.value == pytest.approx(library.total_order, abs=0.03)


def test_dice_take_no_part_in_the_indices_and_are_in_the_intervals():
    generator, x, inside = np.random.default_rng(3), points(128, 2), []
    truth = np.array([0.8, 0.2])  # 4 x1^2 and 1 x2^2, in the same proportion as the squares of the slopes
    for _ in range(40):
        luck = generator.normal(0, 10, (20, 1)) + generator.normal(0, 5, (20, 128))
        found = effects.indices(x.T.tolist(), 2 * x[:, 0] + x[:, 1] + luck)
        assert found is not None
        inside.append((found.first.low < truth) & (truth < found.first.high))
    # Three standard errors of 80 intervals are 0.073.
    assert np.mean(inside) > 0.95 - 0.073


def test_indices_of_a_grid_whose_levels_are_words_are_exact():
    grid = list(itertools.product(["few", "some", "many"], [0, 1], [False, True]))
    worth = {"few": 0.0, "some": 5.0, "many": 1.0}
    y = np.array([worth[a] + 2 * b + 4 * b * c for a, b, c in grid])
    found = effects.indices(list(zip(*grid, strict=True)), np.tile(y, (3, 1)))
    assert found is not None
    # Variances: of 0, 5 and 1 14/3; of b 4; of c 1; of b and c together 1.
    whole = 14 / 3 + 4 + 1 + 1
    assert found.explained == pytest.approx(1)
    assert found.first.value == pytest.approx(np.array([14 / 3, 4, 1]) / whole)
    assert found.total.value == pytest.approx(np.array([14 / 3, 5, 2]) / whole)


def test_an_expansion_that_tells_nothing_of_other_points_says_so():
    x = points(64)
    found = effects.indices(x.T.tolist(), np.tile(np.random.default_rng(4).normal(0, 1, 64), (5, 1)))
    assert found is not None
    assert found.explained < 0.2


def test_a_design_that_varies_one_factor_at_a_time_cannot_tell_of_two() -> None:
    design = [(0, 0)] + [(level, 0) for level in range(1, 9)] + [(0, level) for level in range(1, 9)]
    x = np.array(design, float)
    found = effects.indices(x.T.tolist(), np.tile(x[:, 0] + x[:, 1], (2, 1)))
    assert found is not None
    assert found.first.value == pytest.approx(found.total.value)


def test_too_few_points_or_games_have_no_indices():
    x = points(4)
    assert effects.indices(x.T.tolist(), np.tile(ishigami(x), (5, 1))) is None
    x = points(64)
    assert effects.indices(x.T.tolist(), np.full((5, 64), np.nan)) is None
    assert effects.indices(x.T.tolist(), ishigami(x)[None, :]) is None
