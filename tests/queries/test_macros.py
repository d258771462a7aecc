"""The intervals and shares that the questions use."""

import math

import pytest


@pytest.fixture
def value(small, opened):
    small()
    archive = opened()

    def of(expression):
        return archive.sql(f"select {expression}").fetchall()[0]

    return of


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [  # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(value, k, n, low, high):
    assert value(f"wilson_low({k}, {n}), wilson_high({k}, {n})") == pytest.approx((low, high), abs=5e-5)
    mirrored = value(f"1 - wilson_high({n - k}, {n}), 1 - wilson_low({n - k}, {n})")
    assert mirrored == pytest.approx((low, high), abs=5e-5)


def test_wilson_touches_its_limits_exactly(value):
    assert value("wilson_low(0, 7), wilson_high(7, 7)") == (0.0, 1.0)


def test_nothing_of_nothing_is_null(value):
    assert value("share(0, 0), wilson_low(0, 0), wilson_high(0, 0)") == (None, None, None)


def test_mean_interval_is_that_of_the_normal_distribution(value):
    # 1, 2, 3, 6: mean 3, squared deviations 4 + 1 + 0 + 9 = 14, standard deviation sqrt(14 / 3), of the mean half of it
    half = 1.959963984540054 * math.sqrt(14 / 3) / 2
    found = value("mean_low(x), mean_high(x) from (values (1), (2), (3), (6), (null)) as t(x)")
    assert found == pytest.approx((3 - half, 3 + half))


def test_mean_interval_of_one_value_is_null(value):
    assert value("mean_low(x), mean_high(x) from (values (5)) as t(x)") == (None, None)
