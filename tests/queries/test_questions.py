"""Every question against rows whose answer is worked out by hand."""

import math

import numpy as np
import pytest

from queries import questions
from sim.rules_file import BadInput

NOTHING = {"winner": None, "outcome": None, "margin": None}
RED = {"winner": "red", "outcome": "soviet_major", "margin": -4}
DRAW = {"winner": "draw", "outcome": "draw", "margin": 0}
BLUE = {"winner": "blue", "outcome": "axis_major", "margin": 5}
FAILED = {**NOTHING, "end_reason": "failed", "fault": "bad_move"}


def wilson(k, n, z=1.959963984540054):
    """Wilson's interval as his formula has it: the roots of (p - k/n)^2 = z^2 p (1 - p) / n."""
    middle, half = (k + z * z / 2) / (n + z * z), z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return pytest.approx(middle - half, abs=1e-12), pytest.approx(middle + half, abs=1e-12)


def every(rows, **values):
    """The same rows once for each of several games."""
    return [{**row, **values} for row in rows]


# win_rates


def test_win_rates_of_each_cell(small, ask):
    experiment = small(cells=[{}, {"red_policy": "medium"}, {"red_policy": "difficult"}], replications=4)
    experiment.shard(
        0,
        games=[
            *({"replication": replication, **BLUE} for replication in (0, 1, 2)),
            {"replication": 3, **DRAW},
            {"cell": 1, "replication": 0, **RED},
            {"cell": 1, "replication": 1, **FAILED},
        ],
    )
    columns = "cell red_policy games failed blue_wins red_wins draws blue_win_rate red_win_rate draw_rate"
    assert ask("win_rates", columns) == [
        (0, "easy", 4, 0, 3, 0, 1, 0.75, 0.0, 0.25),
        (1, "medium", 1, 1, 0, 1, 0, 0.0, 1.0, 0.0),  # the failed game is no game; cell 2 has none yet
    ]
    assert ask("win_rates", "blue_low blue_high")[0] == wilson(3, 4)
    assert ask("win_rates", "red_low red_high")[0] == wilson(0, 4)


def test_win_rates_of_a_cell_whose_games_all_failed_are_null(small, ask):
    small().shard(games=[{"replication": 0, **FAILED}])
    columns = "games failed blue_wins blue_win_rate blue_low red_high draw_rate"
    assert ask("win_rates", columns) == [(0, 1, 0, None, None, None, None)]


@pytest.mark.parametrize(
    ("parameters", "cells"),
    [
        ({}, [0, 1, 2]),
        ({"scenario": "barbarossa/uranus"}, [1]),
        ({"scenario": "uranus"}, [1]),
        ({"red_policy": "medium"}, [2]),
        ({"blue_policy": "hold", "red_policy": "easy"}, [0, 1]),
        ({"scenario": "bagration"}, []),
    ],
)
def test_cells_are_chosen_by_scenario_and_policies(small, ask, parameters, cells):
    experiment = small(cells=[{}, {"scenario": "barbarossa/uranus"}, {"red_policy": "medium"}])
    experiment.shard(games=[{"cell": 0}, {"cell": 1}, {"cell": 2}])
    assert [cell for (cell,) in ask("win_rates", "cell", **parameters)] == cells


def test_factors_stand_beside_the_cell(small, ask):
    experiment = small(cells=[{"options.vacated": "at_once"}, {"options.vacated": "garrison"}])
    experiment.shard(games=[{"cell": 0}, {"cell": 1}])
    assert ask("win_rates", "cell options.vacated") == [(0, "at_once"), (1, "garrison")]


def test_cells_of_two_experiments_stay_apart(small, ask):
    small("day", id8="0000000a").shard(games=[{"replication": 0, **BLUE}])
    small("night", id8="0000000b").shard(games=[{"replication": 0, **RED}, {"replication": 1, **RED}])
    assert ask("win_rates", "experiment games blue_win_rate") == [
        ("day-0000000a", 1, 1.0),
        ("night-0000000b", 2, 0.0),
    ]


# outcomes


def test_outcomes_from_red_to_blue_with_those_that_a_cell_never_had(small, ask):
    experiment = small(cells=2, replications=4)
    experiment.shard(
        games=[
            {"replication": 0, **RED},
            *({"replication": replication, **BLUE} for replication in (1, 2, 3)),
            {"cell": 1, "replication": 0, **DRAW},
            {"cell": 1, "replication": 1, **FAILED},
        ],
    )
    assert ask("outcomes", "cell outcome games n share") == [
        (0, "soviet_major", 4, 1, 0.25),
        (0, "draw", 4, 0, 0.0),
        (0, "axis_major", 4, 3, 0.75),
        (1, "soviet_major", 1, 0, 0.0),
        (1, "draw", 1, 1, 1.0),
        (1, "axis_major", 1, 0, 0.0),
    ]
    assert ask("outcomes", "low high")[2] == wilson(3, 4)


def test_outcomes_of_another_rulebook_are_not_listed(small, ask):
    small("a", id8="0000000a").shard(games=[{"replication": 0, **BLUE}])
    other = {"outcome": "tactical_victory", "winner": "blue", "margin": 1}
    small("b", id8="0000000b", rulebook="other").shard(games=[{"replication": 0, **other}])
    assert ask("outcomes", "experiment outcome") == [("a-0000000a", "axis_major"), ("b-0000000b", "tactical_victory")]


# casualties


def test_casualties_by_turn_over_all_games(small, ask):
    experiment = small(replications=3, record="turns")
    lost = {0: (0, 1), 1: (2, 2), 2: (2, 6)}  # by replication, after turns 4 and 5
    experiment.shard(
        games=[{"replication": r} for r in lost],
        turns=[
            {"replication": r, "turn": turn, "side": side, "losses": losses[turn - 4] if side == "blue" else 0}
            for r, losses in lost.items()
            for side in ("red", "blue")
            for turn in (4, 5)
        ],
    )
    # Turn 4: 0, 2, 2, mean 4/3. Turn 5: 1, 2, 6, mean 3, deviation sqrt((4 + 1 + 9) / 2) = sqrt(7).
    # The Soviets have no units.
    found = ask("casualties", "side kind loss turn games mean median p05 p95")
    assert found == [
        ("blue", "all", "units_lost", 4, 3, pytest.approx(4 / 3), 2, 0, 2),
        ("blue", "all", "units_lost", 5, 3, 3.0, 2, 1, 6),
    ]
    half = 1.959963984540054 * math.sqrt(7) / math.sqrt(3)
    assert ask("casualties", "low high", turn=5) == [(pytest.approx(3 - half), pytest.approx(3 + half))]


def test_casualties_by_kind_count_every_loss_of_a_unit_and_games_without_any(small, ask):
    experiment = small(replications=2)
    nations = {"4th Army": "german", "3rd Rumanian Army": "rumanian"}
    lost = {"kind": "lost", "side": "blue"}
    experiment.shard(
        games=[{"replication": 0}, {"replication": 1}],
        turns=[{"replication": r, "turn": t, "side": "blue", "losses": 0} for r in (0, 1) for t in (4, 5, 6)],
        units=[
            {"replication": r, "turn": turn, "unit": unit, "nation": nation, "status": "on_map"}
            for r in (0, 1)
            for unit, nation in nations.items()
            for turn in (4, 5, 6)
        ],
        events=[
            {**lost, "turn": 5, "actor": "4th Army"},
            {**lost, "turn": 6, "actor": "4th Army"},
            {**lost, "turn": 6, "actor": "3rd Rumanian Army", "kind": "retreat"},
        ],
    )
    found = [row for row in ask("casualties", "kind turn games mean median") if row[0] != "all"]
    assert found == [
        ("german", 4, 2, 0.0, 0.0),
        ("german", 5, 2, 0.5, 0),
        ("german", 6, 2, 1.0, 0),
        ("rumanian", 4, 2, 0.0, 0.0),
        ("rumanian", 5, 2, 0.0, 0.0),
        ("rumanian", 6, 2, 0.0, 0.0),
    ]


def test_casualties_by_kind_agree_with_counting_game_by_game(small, ask):
    seed, n, turns = 20260101, 60, range(1, 6)
    generator = np.random.default_rng(seed)
    lost = generator.poisson(0.6, (n, len(turns)))  # losses of each game in each turn
    event = {"kind": "lost", "side": "blue", "actor": "4th Army"}
    small(replications=n).shard(
        games=[{"replication": r} for r in range(n)],
        turns=[{"replication": r, "turn": t, "side": "blue", "losses": 0} for r in range(n) for t in turns],
        units=[{"unit": "4th Army", "nation": "german", "turn": 1, "status": "on_map"}],
        events=[
            {**event, "replication": r, "turn": t}
            for r in range(n)
            for i, t in enumerate(turns)
            for _ in range(lost[r, i])
        ],
    )
    so_far = lost.cumsum(axis=1)
    mean, error = so_far.mean(axis=0), so_far.std(axis=0, ddof=1) / math.sqrt(n)
    quantiles = np.quantile(so_far, [0.5, 0.05, 0.95], axis=0, method="inverted_cdf")
    found = [row[1:] for row in ask("casualties", "kind mean low high median p05 p95") if row[0] == "german"]
    z = 1.959963984540054
    np.testing.assert_allclose(np.array(found).T, [mean, mean - z * error, mean + z * error, *quantiles])


def test_quantiles_are_the_least_number_that_so_many_games_do_not_exceed(small, ask):
    # 19 of 20 games lose one unit: 5 % of the games do not exceed 0, and 95 % do not exceed 1.
    small(replications=20).shard(
        games=[{"replication": r} for r in range(20)],
        turns=[{"replication": r, "turn": 4, "side": "blue", "losses": int(r < 19)} for r in range(20)],
        units=[{"unit": "4th Army", "nation": "german", "turn": 4, "status": "waiting"}],
        events=[{"replication": r, "turn": 4, "kind": "lost", "side": "blue", "actor": "4th Army"} for r in range(19)],
    )
    assert ask("casualties", "kind p05 median p95") == [("all", 0, 1, 1), ("german", 0, 1, 1)]


def test_casualties_of_one_game_have_no_interval(small, ask):
    small(replications=1).shard(
        games=[{"replication": 0}],
        turns=[{"turn": 4, "side": "blue", "losses": 1}],
        units=[{"unit": "4th Army", "nation": "german", "turn": 4, "status": "waiting"}],
        events=[{"turn": 4, "kind": "lost", "side": "blue", "actor": "4th Army"}],
    )
    assert ask("casualties", "kind mean low high") == [("all", 1.0, None, None), ("german", 1.0, None, None)]


def test_casualties_by_kind_are_means_over_the_games_that_were_recorded_in_full(small, ask):
    experiment = small(replications=4, record="units", sample={"level": "events", "every": 2})
    unit = {"unit": "4th Army", "nation": "german", "status": "on_map", "turn": 4}
    experiment.shard(
        games=[{"replication": r} for r in range(4)],
        turns=[{"replication": r, "turn": 4, "side": "blue", "losses": 1} for r in range(4)],
        units=[{**unit, "replication": r} for r in range(4)],
        events=[{"replication": 2, "turn": 4, "kind": "lost", "side": "blue", "actor": "4th Army"}],
    )
    assert ask("casualties", "kind games mean") == [("all", 4, 1.0), ("german", 2, 0.5)]


# territory_by_turn and region_holders


@pytest.fixture
def two_regions(small):
    """Four games on a map of two regions: blue holds Kiev in all, Minsk in three, after turn 5."""
    experiment = small(replications=4, record="turns")
    minsk = {0: "blue", 1: "blue", 2: "blue", 3: "red"}
    experiment.shard(
        games=[{"replication": r} for r in minsk],
        turns=[
            {"replication": r, "turn": 5, "side": side, "territory": (side == "blue") + (holder == side)}
            for r, holder in minsk.items()
            for side in ("red", "blue")
        ],
        territory=[
            {"replication": r, "turn": 5, "place": place, "holder": holder if place == "Minsk" else "blue"}
            for r, holder in minsk.items()
            for place in ("Kiev", "Minsk")
        ],
    )


def test_territory_by_turn(two_regions, ask):
    # Blue: 2, 2, 2, 1: mean 7/4, deviation 1/2. Red: 0, 0, 0, 1.
    columns = "turn side games places mean median p05 p95 share"
    assert ask("territory_by_turn", columns) == [
        (5, "blue", 4, 2, 1.75, 2, 1, 2, 0.875),
        (5, "red", 4, 2, 0.25, 0, 0, 1, 0.125),
    ]
    half = 1.959963984540054 * 0.5 / 2
    assert ask("territory_by_turn", "side low high", side="blue") == [
        ("blue", pytest.approx(1.75 - half), pytest.approx(1.75 + half))
    ]


def test_region_holders(two_regions, ask):
    columns = "turn place games blue red blue_share blue_low blue_high"
    assert ask("region_holders", columns) == [
        (5, "Kiev", 4, 4, 0, 1.0, *wilson(4, 4)),
        (5, "Minsk", 4, 3, 1, 0.75, *wilson(3, 4)),
    ]
    assert ask("region_holders", "place", place="Minsk", turn=5) == [("Minsk",)]
    assert ask("region_holders", "place", turn="6") == []


# Attacks


def test_attack_results_by_units_modifier_and_result(small, ask):
    attack = {"turn": 1, "kind": "attack", "side": "blue", "place": "Minsk", "units": 2, "modifier": 3, "losses": 0}
    taken = {**attack, "result": "taken", "captured": True, "isolated": 1}
    at_a_loss = {**attack, "result": "taken_at_a_loss", "captured": False, "losses": 1, "isolated": 0}
    later = {**attack, "modifier": 2, "result": "taken", "captured": True, "isolated": 0}
    alone = {**attack, "units": 1, "modifier": 0, "result": "repulsed", "captured": False, "losses": 1}
    soviet = {
        "turn": 1,
        "kind": "soviet_attack",
        "side": "red",
        "place": "Kiev",
        "units": 1,
        "result": "nothing",
        "losses": 0,
    }
    small().shard(
        games=[{"replication": 0}, {"replication": 1}],
        events=[
            taken,
            taken,
            at_a_loss,
            later,
            alone,
            soviet,
            {**taken, "replication": 1},
            {"turn": 1, "kind": "move"},
        ],
    )
    columns = "kind units modifier result attacks n share captured mean_losses isolated"
    assert ask("attack_results", columns) == [
        ("attack", 1, 0, "repulsed", 1, 1, 1.0, 0, 1.0, None),
        ("attack", 2, 2, "taken", 1, 1, 1.0, 1, 0.0, 0),
        ("attack", 2, 3, "taken", 4, 3, 0.75, 3, 0.0, 3),
        ("attack", 2, 3, "taken_at_a_loss", 4, 1, 0.25, 0, 1.0, 0),
        ("soviet_attack", 1, None, "nothing", 1, 1, 1.0, 0, 0.0, None),
    ]
    assert ask("attack_results", "low high")[2] == wilson(3, 4)


def test_soviet_targets_count_attacks_by_region(small, ask):
    on = {"kind": "soviet_attack", "side": "red", "captured": False}
    small(cells=2).shard(
        games=[{"replication": 0}, {"replication": 1}, {"cell": 1}],
        events=[
            {**on, "turn": 1, "place": "Warsaw"},
            {**on, "turn": 2, "place": "Warsaw", "captured": True},
            {**on, "turn": 2, "place": "Berlin"},
            {**on, "replication": 1, "turn": 1, "place": "Warsaw"},
            {"turn": 1, "kind": "attack", "side": "blue", "place": "Minsk"},
            {**on, "cell": 1, "turn": 1, "place": "Berlin"},
        ],
    )
    columns = "place games all_attacks attacks share a_game captured capture_rate"
    assert ask("soviet_targets", columns) == [
        ("Warsaw", 2, 4, 3, 0.75, 1.5, 1, pytest.approx(1 / 3)),
        ("Berlin", 2, 4, 1, 0.25, 0.5, 0, 0.0),
        ("Berlin", 1, 1, 1, 1.0, 1.0, 0, 0.0),
    ]
    first = ask("soviet_targets", "low high capture_low capture_high")[0]
    assert first == (*wilson(3, 4), *wilson(1, 3))
    assert ask("soviet_targets", "place all_attacks attacks", turn=2) == [("Berlin", 2, 1), ("Warsaw", 2, 1)]


def test_soviet_targets_of_a_game_count_the_games_that_were_recorded_in_full(small, ask):
    small(replications=4, record="turns", sample={"level": "events", "every": 2}).shard(
        games=[{"replication": r} for r in range(4)],
        events=[{"replication": 2, "turn": 1, "kind": "soviet_attack", "side": "red", "place": "Warsaw"}],
    )
    assert ask("soviet_targets", "games attacks a_game") == [(2, 1, 0.5)]


def test_unit_fates_at_the_end_and_losses_on_the_way(small, ask):
    army = {"unit": "4th Army", "nation": "german"}
    italian = {"unit": "8th Italian Army", "nation": "italian", "turn": 5, "status": "gone"}
    lost = {"kind": "lost", "side": "blue", "actor": "4th Army"}
    statuses = {0: ("on_map", "waiting"), 1: ("waiting", "on_map"), 2: ("on_map", "on_map")}  # after turns 4 and 5
    rows = [
        {**army, "replication": r, "turn": turn, "status": statuses[r][turn - 4]} for r in statuses for turn in (4, 5)
    ]
    small(replications=3).shard(
        games=[{"replication": r} for r in statuses],
        turns=[{"turn": turn, "side": "blue"} for turn in (4, 5)],
        units=rows + [{**italian, "replication": r} for r in statuses],
        events=[{**lost, "turn": 4}, {**lost, "turn": 5}, {**lost, "replication": 1, "turn": 5}],
    )
    columns = "unit nation games on_map waiting gone full_games mean_times_lost ever_lost median_first_lost"
    assert ask("unit_fates", columns) == [
        ("4th Army", "german", 3, 2, 1, 0, 3, 1.0, 2, 4.5),
        ("8th Italian Army", "italian", 3, 0, 0, 3, 3, 0.0, 0, None),
    ]
    assert ask("unit_fates", "on_map_share on_map_low on_map_high")[0] == (pytest.approx(2 / 3), *wilson(2, 3))


def test_unit_fates_without_events_say_nothing_of_losses(small, ask):
    small(record="units").shard(
        games=[{"replication": 0}],
        turns=[{"turn": 5, "side": "blue"}],
        units=[{"unit": "4th Army", "nation": "german", "turn": 5, "status": "on_map"}],
    )
    columns = "on_map full_games mean_times_lost ever_lost median_first_lost"
    assert ask("unit_fates", columns) == [(1, None, None, None, None)]


def test_failed_games_have_no_part_in_any_mean(small, ask):
    # Two games, of which one failed: its row in `games` must not make the other's losses half as many.
    small().shard(
        games=[{"replication": 0}, {"replication": 1, **FAILED}],
        turns=[{"turn": 4, "side": "blue", "losses": 2, "territory": 1}],
        territory=[{"turn": 4, "place": "Kiev", "holder": "blue"}],
        units=[{"unit": "4th Army", "nation": "german", "turn": 4, "status": "waiting"}],
        events=[{"turn": 4, "kind": "lost", "side": "blue", "actor": "4th Army"}],
    )
    assert ask("casualties", "kind games mean") == [("all", 1, 2.0), ("german", 1, 1.0)]
    assert ask("territory_by_turn", "games mean") == [(1, 1.0)]
    assert ask("unit_fates", "full_games mean_times_lost") == [(1, 1.0)]


# What a question's head says


@pytest.mark.parametrize("name", questions.names())
def test_every_question_is_described(name):
    question = questions.find(name)
    assert question.asks.partition(" (")[0].endswith("?")
    assert question.grain.startswith("one row for each")
    assert question.measure
    assert all(meaning for _, meaning in question.columns)
    assert question.example.startswith(f"duosuan query {name} ARCHIVE")
    assert {f"${it.name}" for it in question.parameters} == {
        word
        for word in question.sql.replace("(", " ").replace(")", " ").replace(",", " ").split()
        if word.startswith("$")
    }


def test_unknown_question_is_refused_with_the_nearest_name():
    with pytest.raises(BadInput, match=r"there is no question 'win_rate': use .* \(did you mean win_rates\?\)"):
        questions.find("win_rate")


def test_unknown_parameter_is_refused_with_the_nearest_name():
    with pytest.raises(BadInput, match=r"question win_rates has no parameter 'scenari': use .*did you mean scenario"):
        questions.find("win_rates").values({"scenari": "blue"})


def test_parameter_of_a_wrong_type_is_refused():
    with pytest.raises(BadInput, match="turn: 'S41' is wrong: question region_holders takes an integer"):
        questions.find("region_holders").values({"turn": "S41"})


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("-- What?\n--\n-- Grain: one row\nselect 1\n", "lacks.*Columns.*Example.*Measure.*Parameters"),
        (
            "-- Why?\n-- Grain: g\n-- Measure: m\n-- Parameters:\n-- turn: a turn\n-- Columns:\n-- Example: e\nselect",
            "a parameter is",
        ),
    ],
)
def test_incomplete_head_is_an_error(tmp_path, head, says):
    (tmp_path / "what.sql").write_text(head)
    with pytest.raises(ValueError, match=says):
        questions.read(tmp_path / "what.sql")
