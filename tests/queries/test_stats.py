"""Statistics against closed forms, published examples and their own promises."""

import numpy as np
import pytest

from queries import stats

# Wilson


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [  # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(k, n, low, high):
    found = stats.wilson(k, n)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    assert (found.value, found.n) == (k / n, n)


def test_wilson_of_all_and_of_nothing():
    found = stats.wilson([10, 0], [10, 0])
    # 1 - z^2 / (n + z^2) = 10 / 13.8415
    assert found.low[0] == pytest.approx(0.72247, abs=1e-5)
    assert found.high[0] == 1
    assert np.isnan([found.value[1], found.low[1], found.high[1]]).all()


def test_wilson_is_that_of_sql(small, opened):
    small()
    k, n = [0, 3, 7, 7], [7, 7, 7, 9]
    cases = " union all ".join(f"select {a} as k, {b} as n" for a, b in zip(k, n, strict=True))
    rows = opened().sql(f"select wilson_low(k, n), wilson_high(k, n) from ({cases})").fetchall()
    found = stats.wilson(k, n)
    assert np.array(rows) == pytest.approx(np.column_stack([found.low, found.high]))


# Bootstrap


def test_resampled_sums_come_from_their_seed():
    values = np.random.default_rng(1).random((20, 3))
    first = stats.resampled_sums(values, seed=5, times=50)
    assert np.array_equal(first, stats.resampled_sums(values, seed=5, times=50))
    assert not np.array_equal(first, stats.resampled_sums(values, seed=6, times=50))
    assert first.shape == (50, 3)


def test_resampled_sums_do_not_depend_on_the_size_of_a_chunk(monkeypatch):
    values = np.random.default_rng(1).random((20, 3))
    whole = stats.resampled_sums(values, seed=5, times=50)
    monkeypatch.setattr(stats, "CHUNK", 70)  # three samples at a time
    assert stats.resampled_sums(values, seed=5, times=50) == pytest.approx(whole)


def test_bootstrap_has_the_spread_of_the_standard_error():
    values = np.random.default_rng(2).normal(10, 3, (400, 1))
    samples = stats.resampled_means(values, seed=1, times=4000)
    assert samples.mean() == pytest.approx(values.mean(), abs=0.02)
    assert samples.std() == pytest.approx(values.std() / 20, rel=0.04)


def test_cells_that_share_dice_are_resampled_together():
    luck = np.random.default_rng(3).normal(0, 1, (100, 1))
    cells = np.repeat(luck, 16, axis=1)
    together = stats.resampled_means(cells, seed=1)
    assert np.ptp(together, axis=1).max() == pytest.approx(0)
    # Sixteen cells with the same luck tell no more than one. Taken one by one they seem to: a quarter of the spread.
    apart = stats.resampled_means(cells, seed=1, dice=np.arange(16))
    assert apart.mean(axis=1).std() / together.mean(axis=1).std() == pytest.approx(0.25, rel=0.1)


def test_means_leave_out_games_that_are_not_there():
    values = np.array([[1.0, np.nan], [1.0, 5.0], [1.0, np.nan]])
    samples = stats.resampled_means(values, seed=1, times=500)
    assert (samples[:, 0] == 1).all()
    there = np.isfinite(samples[:, 1])
    assert (samples[there, 1] == 5).all()
    # The second replication is not drawn in (2/3)^3 of the samples.
    assert 1 - there.mean() == pytest.approx(8 / 27, abs=0.06)


def test_no_games_give_no_interval():
    low, high = stats.spread(stats.resampled_means(np.empty((0, 2)), seed=1, times=10))
    assert np.isnan([low, high]).all()


def test_ratio_of_sums_is_no_mean_of_ratios():
    found = stats.ratio_of_sums([[8.0], [1.0], [np.nan]], [[2.0], [1.0], [4.0]], seed=1)
    assert found.value[0] == 3.0  # 9 / 3, while the mean of 4 and 1 is 2.5
    assert found.n[0] == 2
    assert (found.low[0], found.high[0]) == (1.0, 4.0)


def test_ratio_of_sums_over_nothing_or_of_one_game_has_no_interval():
    found = stats.ratio_of_sums([[1.0, 1.0], [1.0, np.nan]], [[0.0, 2.0], [0.0, np.nan]], seed=1)
    assert np.isnan(found.value[0])
    assert found.value[1] == 0.5
    assert np.isnan([found.low, found.high]).all()


def test_ratio_of_sums_covers_the_true_ratio():
    generator = np.random.default_rng(4)
    below = generator.gamma(4.0, 1.0, (60, 2000))  # 2000 experiments of 60 games each
    above = 2 * below + generator.normal(0, 2, below.shape)
    found = stats.ratio_of_sums(above, below, seed=1, times=500)
    covered = np.mean((found.low < 2) & (found.high > 2))
    assert 0.925 < covered < 0.965


# Paired differences


def test_paired_gives_the_interval_of_students_own_example():
    # Hours of sleep gained with two drugs, ten patients: Student, "The probable error of a mean", 1908.
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = stats.paired(first, second)
    assert found.value == pytest.approx(1.58)
    assert (found.low, found.high) == (pytest.approx(0.7001142), pytest.approx(2.4598858))
    assert found.p == pytest.approx(0.002833, abs=1e-6)
    # Variances: 3.2006 and 4.0090 apart, 1.5129 of the difference.
    assert found.reduction == pytest.approx(1 - 1.5129 / 7.2096, abs=1e-4)


def test_paired_counts_only_replications_that_both_have():
    found = stats.paired([[1.0, 1.0], [2.0, np.nan], [np.nan, 3.0]], [[2.0, 1.0], [4.0, 1.0], [1.0, 5.0]])
    assert found.n.tolist() == [2, 2]
    assert found.value.tolist() == [1.5, 1.0]


def test_unpaired_gives_welchs_answer():
    # Variances of both means are 1: t = 3 / sqrt(2) with 2 degrees of freedom, of which Student's distribution is
    # 1 / 2 + t / (2 sqrt(2 + t^2)) and its 97.5 % quantile 4.3027.
    found = stats.unpaired([0.0, 2.0], [3.0, 5.0])
    t = 3 / np.sqrt(2)
    assert (found.value, found.n) == (3.0, 2)
    assert found.p == pytest.approx(1 - t / np.sqrt(2 + t**2))
    half = 4.302653 * np.sqrt(2)
    assert (found.low, found.high) == (pytest.approx(3 - half, abs=1e-5), pytest.approx(3 + half, abs=1e-5))


def test_unpaired_where_nothing_varies_or_nothing_is_there():
    assert stats.unpaired([1.0, 1.0], [1.0, 1.0]).p == 1
    assert stats.unpaired([1.0, 1.0], [2.0, 2.0]).p == 0
    assert 0 < stats.unpaired([0.1, 0.1, 0.1], [0.1, 0.2, 0.1]).p < 1
    assert np.isnan(stats.unpaired([1.0], [2.0, 2.0]).p)


def test_paired_where_nothing_differs_or_nothing_is_there():
    same = stats.paired([1.0, 0.0, 1.0], [1.0, 0.0, 1.0])
    assert (same.value, same.low, same.high, same.p, same.reduction) == (0, 0, 0, 1, 1)
    always = stats.paired([1.0, 2.0], [2.0, 3.0])
    assert (always.value, always.p) == (1, 0)
    single = stats.paired([1.0], [2.0])
    assert single.value == 1
    assert np.isnan([single.low, single.high, single.p, single.reduction]).all()
    assert np.isnan(stats.paired([np.nan], [2.0]).value)


def test_common_dice_reduce_the_variance_by_the_correlation():
    generator = np.random.default_rng(5)
    luck = generator.normal(0, 3, 20_000)
    a, b = luck + generator.normal(0, 1, luck.shape), luck + generator.normal(0.5, 1, luck.shape)
    found = stats.paired(a, b)
    assert found.reduction == pytest.approx(0.9, abs=0.005)  # 1 - (1 + 1) / (10 + 10)


# Holm


def test_holm_corrects_a_worked_example():
    # In order 0.005 x 4, 0.01 x 3, 0.03 x 2, and 0.04 x 1, which may not be less than the one before.
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_gaps_and_stops_at_one():
    found = stats.holm([0.9, np.nan, 0.6])
    assert found[[0, 2]].tolist() == [1.0, 1.0]
    assert np.isnan(found[1])
    assert stats.holm([]).tolist() == []


def test_holm_keeps_the_rate_of_false_alarms():
    p = np.random.default_rng(6).random((4000, 8))
    alarms = np.mean([stats.holm(row).min() < 0.05 for row in p])
    assert alarms == pytest.approx(0.05, abs=0.012)


# Values of games


def test_rock_paper_scissors_with_payoffs_1_2_1():
    found = stats.solve([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    assert found.value == pytest.approx(0)
    assert found.rows == pytest.approx([0.25, 0.5, 0.25])
    assert found.columns == pytest.approx([0.25, 0.5, 0.25])


def test_two_by_two_game_without_a_saddle_point():
    # J. D. Williams, "The compleat strategyst": odds from differences; value (ad - bc) / (a + d - b - c).
    found = stats.solve([[3, 6], [5, 4]])
    assert found.value == pytest.approx((3 * 4 - 6 * 5) / (3 + 4 - 6 - 5))
    assert found.rows == pytest.approx([0.25, 0.75])
    assert found.columns == pytest.approx([0.5, 0.5])


def test_game_with_a_saddle_point_is_played_pure():
    found = stats.solve([[0.9, 0.4], [0.6, 0.5]])
    assert (found.value, found.rows.tolist(), found.columns.tolist()) == (pytest.approx(0.5), [0, 1], [0, 1])


@pytest.mark.parametrize("matrix", [np.empty((0, 0)), [[0.5, np.nan]]])
def test_game_with_gaps_is_refused(matrix):
    with pytest.raises(ValueError, match="empty or has gaps"):
        stats.solve(matrix)


def test_values_of_many_games_are_those_of_each():
    games = np.random.default_rng(8).random((40, 3, 4)).round(1)
    assert stats.values_of(games) == pytest.approx([stats.solve(game).value for game in games])
    assert np.isnan(stats.values_of(np.array([[[0.5, np.nan]]]))).all()


def test_value_of_game_has_an_interval_by_replications():
    generator = np.random.default_rng(9)
    chances = np.array([0.5, 0.2, 0.8, 0.5])
    scores = (generator.random((400, 4)) < chances).astype(float)
    found, solution = stats.value_of_game(scores, (2, 2), seed=1, times=400)
    assert found.value == solution.value == pytest.approx(0.5, abs=0.08)  # the second row, against the second column
    assert found.low < 0.5 < found.high
    assert 0.05 < found.high - found.low < 0.15
    assert found.n == 1600


def test_value_of_single_games_has_no_interval():
    found, _ = stats.value_of_game([[1.0, 0.0]], (1, 2), seed=1)
    assert (found.value, found.n) == (0, 2)
    assert np.isnan([found.low, found.high]).all()


def test_best_says_how_sure_it_is():
    scores = np.column_stack([np.tile([0.0, 1.0], 50), np.tile([1.0, 1.0], 50), np.full(100, np.nan)])
    assert stats.best(scores, seed=1) == (1, 1.0)
    alike = np.column_stack([np.tile([0.0, 1.0], 200), np.tile([1.0, 0.0], 200)])
    assert stats.best(alike, seed=1).how_sure == pytest.approx(0.5, abs=0.06)
    with pytest.raises(ValueError, match="no game"):
        stats.best(np.full((2, 2), np.nan), seed=1)


# Elo


def _scores(chance, n=1000):
    """So many games of which just that share is won."""
    return (np.arange(n) < round(chance * n)).astype(float)


def test_elo_of_a_score_of_three_quarters():
    # Both sides in turn, so no advantage: 400 log10(0.75 / 0.25) points apart.
    scores = np.column_stack([_scores(0.75), _scores(0.25)])
    found = stats.elo(scores, blue=[0, 1], red=[1, 0], board=[0, 0], seed=1, times=200)
    assert found.policies.value[0] - found.policies.value[1] == pytest.approx(190.85, abs=0.5)
    assert found.policies.value.sum() == pytest.approx(0)
    assert found.advantages.value[0] == pytest.approx(0, abs=1e-6)
    assert found.policies.n.tolist() == [2000, 2000]


def test_elo_tells_the_advantage_of_a_side_from_strength():
    def score(points):
        return 1 / (1 + 10 ** (-points / 400))

    # 100 points of strength between the policies; blue has 60 on the first board, -40 on the second.
    chances = [score(100 + 60), score(-100 + 60), score(100 - 40), score(-100 - 40)]
    scores = np.column_stack([_scores(chance, 10_000) for chance in chances])
    found = stats.elo(scores, blue=[0, 1, 0, 1], red=[1, 0, 1, 0], board=[0, 0, 1, 1], seed=1, times=50)
    assert found.policies.value == pytest.approx([50, -50], abs=1)
    assert found.advantages.value == pytest.approx([60, -40], abs=1)


def test_elo_of_draws_is_even_and_of_one_who_always_wins_is_finite():
    drawn = stats.elo(np.full((10, 1), 0.5), blue=[0], red=[1], board=[0], seed=1, times=20)
    assert drawn.policies.value == pytest.approx([0, 0])
    won = stats.elo(np.ones((10, 1)), blue=[0], red=[1], board=[0], seed=1, times=20)
    assert 100 < won.policies.value[0] - won.policies.value[1] < 2000


def test_elo_intervals_come_from_replications():
    generator = np.random.default_rng(10)
    differences = []
    for _ in range(60):
        scores = (generator.random((100, 2)) < [0.6, 0.4]).astype(float)
        found = stats.elo(scores, blue=[0, 1], red=[1, 0], board=[0, 0], seed=1, times=200)
        differences.append((found.policies.low[0], found.policies.high[0]))
    true = 400 * np.log10(0.6 / 0.4) / 2
    covered = np.mean([low < true < high for low, high in differences])
    assert covered > 0.85
