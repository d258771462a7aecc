"""Sequential tests, intervals of a given width and allocation, against published results and by simulation."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from queries import sequential
from queries.sequential import Alternatives

LOOKS = np.round(20 * 1.4 ** np.arange(18)).astype(int)
"""Numbers of games at which a simulated test is looked at, up to 6,098."""


# Tests


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr", "elo", "half_width"),
    [  # published by the testing framework of the chess program Stockfish
        ([189, 845, 1540, 899, 214], -5, 0, 2.98, 4.90, 5.35),
        ([119, 1754, 3690, 1898, 134], 0, 5, 2.95, 3.98, 3.06),
    ],
)
def test_five_outcomes_give_the_published_results(counts, elo0, elo1, llr, elo, half_width):
    assert sequential.elo_llr(counts, elo0, elo1) == pytest.approx(llr, abs=5e-3)
    assert sequential.pair_strength(counts) == (pytest.approx(elo, abs=5e-3), pytest.approx(half_width, abs=5e-3))


def test_the_most_likely_distribution_of_a_strength_is_what_a_general_optimiser_finds():
    counts, values = np.array([30.0, 60, 100, 70, 50]), np.asarray(sequential.PAIR_SCORES)
    share = counts / counts.sum()
    for strength in (-0.2, 0.1):
        found = sequential.with_strength(share, values, strength)
        mean = found @ values
        deviation = np.sqrt(found @ (values - mean) ** 2)
        assert (found.sum(), (mean - 0.5) / deviation) == (pytest.approx(1), pytest.approx(strength, abs=1e-8))
        constraints = [
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {
                "type": "eq",
                "fun": lambda p, t=strength: p @ values - 0.5 - t * np.sqrt(p @ values**2 - (p @ values) ** 2),
            },
        ]
        other = minimize(
            lambda p: -share @ np.log(p), share, bounds=[(1e-6, 1)] * 5, constraints=constraints, tol=1e-12
        )
        assert found == pytest.approx(other.x, abs=2e-4)


def test_of_wins_and_losses_the_ratio_is_walds():
    for wins, losses in ((60, 40), (7, 93), (50, 50)):
        closed = wins * np.log(0.6 / 0.5) + losses * np.log(0.4 / 0.5)
        assert sequential.mean_llr([losses, wins], [0, 1], 0.5, 0.6) == pytest.approx(closed, rel=1e-9)


def test_outcomes_that_have_not_come_yet_are_thought_possible():
    # All games won: Wald's ratio is n log(p1 / p0).
    assert sequential.mean_llr([0, 20], [0, 1], 0.5, 0.6) == pytest.approx(20 * np.log(1.2), abs=1e-2)
    assert sequential.mean_llr([0, 0, 20], [0, 0.5, 1], 0.5, 0.6) > 3
    for counts in ([0, 0, 100, 0, 0], [0, 0, 0, 0, 50], [9, 0, 0, 0, 0], [0, 1, 0, 0, 0]):
        assert np.isfinite(sequential.elo_llr(counts, 0, 5))
    assert sequential.elo_llr([0, 0, 0, 0, 50], 0, 5) > 0 > sequential.elo_llr([50, 0, 0, 0, 0], 0, 5)


def test_the_ratio_changes_its_sign_with_the_sides():
    counts = [20, 50, 90, 60, 30]
    assert sequential.elo_llr(counts, -5, 5) == pytest.approx(-sequential.elo_llr(counts[::-1], -5, 5))
    assert sequential.mean_llr([4, 9, 7], [0, 0.5, 1], 0.4, 0.6) == pytest.approx(
        -sequential.mean_llr([7, 9, 4], [0, 0.5, 1], 0.4, 0.6)
    )


def test_walds_bounds():
    assert sequential.wald_bounds(0.05, 0.05) == (pytest.approx(-2.9444, abs=1e-4), pytest.approx(2.9444, abs=1e-4))
    lower, upper = sequential.wald_bounds(0.01, 0.2)
    assert (np.exp(lower), np.exp(upper)) == (pytest.approx(0.2 / 0.99), pytest.approx(80))


def outcome_of_tests(chances, scores, bounds, llr, times: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Of many tests of games with these chances of each score: 1, -1 or 0 (undecided), and the games that each took."""
    generator = np.random.default_rng(seed)
    verdicts, games = np.zeros(times), np.zeros(times)
    for test in range(times):
        counts = np.zeros(len(scores))
        for before, after in itertools.pairwise([0, *LOOKS]):
            counts += generator.multinomial(after - before, chances)
            ratio = llr(counts)
            if not bounds.lower < ratio < bounds.upper:
                verdicts[test] = np.sign(ratio)
                break
        games[test] = counts.sum()
    return verdicts, games


@pytest.mark.parametrize("chances", [(0.0, 1.0), (0.3, 0.7)], ids=["no draws", "draws"])
def test_a_test_errs_as_rarely_as_it_was_told_to(chances):
    scores, bounds = (0.0, 0.5, 1.0), sequential.wald_bounds(0.05, 0.1)
    draws = chances[0]

    def games_with(mean: float) -> list[float]:
        return [1 - draws - (mean - draws / 2), draws, mean - draws / 2]

    def llr(counts):
        return sequential.mean_llr(counts, scores, 0.5, 0.57)

    of_first, _ = outcome_of_tests(games_with(0.5), scores, bounds, llr, 400, 1)
    of_second, games = outcome_of_tests(games_with(0.57), scores, bounds, llr, 400, 2)
    # Three standard errors of 400 tests are 0.033 and 0.045. Looking seldom makes errors rarer than was allowed.
    assert 0.01 < np.mean(of_first == 1) < 0.05 + 0.033
    assert 0.02 < np.mean(of_second == -1) < 0.1 + 0.045
    # A test with as many games as must be would take (1.645 + 1.282)^2 / 4 / 0.07^2 = 437 without draws.
    assert games.mean() < (437 if not draws else 437 * 0.7)


def test_a_test_of_pairs_errs_as_rarely_as_it_was_told_to():
    values, bounds = np.asarray(sequential.PAIR_SCORES), sequential.wald_bounds(0.05, 0.05)
    share = np.array([0.1, 0.2, 0.4, 0.2, 0.1])

    def with_elo(elo: float) -> np.ndarray:
        return sequential.with_strength(share, values, elo / sequential.NORMALISED_ELO * np.sqrt(2))

    def llr(counts):
        return sequential.elo_llr(counts, 0, 50)

    of_first, _ = outcome_of_tests(with_elo(0), values, bounds, llr, 200, 3)
    of_second, _ = outcome_of_tests(with_elo(50), values, bounds, llr, 200, 4)
    # Three standard errors of 200 tests are 0.046.
    assert np.mean(of_first == 1) < 0.05 + 0.046
    assert np.mean(of_second == -1) < 0.05 + 0.046
    assert np.mean(of_second == 1) > 0.9


# Widths


def test_the_width_of_a_share_is_wilsons_and_that_of_a_mean_students():
    # R. G. Newcombe, 1998: 81 of 263 has 0.2553 to 0.3662.
    assert sequential.half_width([182, 81], [0, 1], of_share=True) == pytest.approx((0.3662 - 0.2553) / 2, abs=1e-4)
    # 1, 2, 3, 4: mean 2.5, deviation 1.2910, quantile 3.1824 of t with 3 degrees of freedom.
    found = sequential.half_width([1, 1, 1, 1], [1, 2, 3, 4], of_share=False)
    assert found == pytest.approx(3.1824 * 1.2910 / 2, abs=1e-3)
    assert sequential.half_width([1], [3.0], of_share=False) == np.inf
    assert sequential.half_width([0, 0], [0, 1], of_share=True) == np.inf


@pytest.mark.parametrize("chance", [0.5, 0.1, 0.02])
def test_intervals_that_end_the_games_keep_their_level(chance):
    generator, covered, wanted = np.random.default_rng(5), [], 0.04
    for _ in range(800):
        wins = n = 0
        for before, after in itertools.pairwise([0, *LOOKS]):
            wins, n = wins + generator.binomial(after - before, chance), after
            if sequential.half_width([n - wins, wins], [0, 1], of_share=True) <= wanted:
                break
        interval = sequential.wilson(wins, n)
        covered.append(interval.low <= chance <= interval.high)
    # Three standard errors of 800 cells are 0.023.
    assert np.mean(covered) > 0.95 - 0.023


# Allocation


def known(means, deviations, groups) -> Alternatives:
    return Alternatives(np.array(means, float), np.array(deviations, float), np.array(groups))


def test_weights_are_those_of_the_paper():
    # Three alternatives, the first the best, gaps 1 and 2, deviations 1: 1 and 1/4, and for the best sqrt(1 + 1/16).
    found = sequential.weights(known([3, 2, 1], [1, 1, 1], [0, 0, 0]), 0.0)
    assert found == pytest.approx([np.sqrt(17 / 16), 1, 0.25])


def test_a_group_with_one_alternative_deserves_no_games():
    found = sequential.weights(known([3, 2, 1], [1, 1, 1], [0, 1, 1]), 0.0)
    assert found[0] == 0
    assert (found[1:] > 0).all()
    assert sequential.surety(known([3, 2, 1], [1, 1, 1], [0, 1, 1]), [1, 1000, 1000], 0.0)[0] == 1


def test_games_are_filled_up_in_proportion():
    found = sequential.filled([10, 10, 40], [3, 1, 1], 100, [1000] * 3)
    # 40 stay; of the other 60 three quarters and a quarter.
    assert found.tolist() == [45, 15, 40]
    assert sequential.filled([10, 10], [1, 1], 1000, [30, 50]).tolist() == [30, 50]
    assert sequential.filled([10, 10], [0, 0], 1000, [30, 50]).tolist() == [10, 10]


def chosen_by(means, total: int, by_weight: bool, generator) -> bool:
    """Whether the truly best, the first, is chosen after ``total`` normal games of alternatives with these means."""
    k = len(means)
    games = np.full(k, 20)
    sums, squares = np.zeros(k), np.zeros(k)

    def play(more):
        for i, n in enumerate(more):
            values = generator.normal(means[i], 1.0, n)
            sums[i], squares[i] = sums[i] + values.sum(), squares[i] + values @ values

    play(games)
    while games.sum() < total:
        mean = sums / games
        estimate = known(mean, np.sqrt(squares / games - mean**2), np.zeros(k))
        wanted = sequential.weights(estimate, 0.05) if by_weight else np.ones(k)
        after = sequential.filled(games, wanted, min(total, int(1.5 * games.sum())), [total] * k)
        play(after - games)
        games = after
        if after.sum() + k >= total:
            break
    return int((sums / games).argmax()) == 0


def test_games_where_they_decide_find_the_best_more_often_than_equal_games():
    means, generator = [0.5, 0.35, 0, 0, -0.2, -0.2, -0.5, -0.5], np.random.default_rng(6)
    right = {by: np.mean([chosen_by(means, 800, by, generator) for _ in range(300)]) for by in (True, False)}
    # Two standard errors of the difference are 0.044.
    assert right[True] > right[False] + 0.044


def test_surety_is_no_greater_than_what_simulation_finds():
    means, n, generator = np.array([0.5, 0.45, 0.3]), np.array([300, 300, 100]), np.random.default_rng(7)
    sampled = generator.binomial(n, means, (4000, 3)) / n
    right = np.mean(sampled.argmax(axis=1) == 0)
    said = sequential.surety(known(means, np.sqrt(means * (1 - means)), [0, 0, 0]), n, 0.0)
    assert right - 0.03 < said[0] < right + 0.02


def test_equal_games_that_would_have_been_as_sure():
    estimate = known([0.6, 0.5], [0.5, 0.5], [0, 0])
    n = sequential.equal_games(estimate, np.array([0.95, 0.95]), 0.0, 10_000)
    assert sequential.surety(estimate, [n, n], 0.0)[0] >= 0.95 > sequential.surety(estimate, [n - 1, n - 1], 0.0)[0]
    # (1.645 * 0.5 * sqrt(2) / 0.1)^2
    assert n == pytest.approx(135.3, abs=1)
