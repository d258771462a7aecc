"""The questions that First Contact answers, against rows whose answer is worked out by hand."""

import numpy as np
import pytest

from queries.stats import ratio_of_sums
from tests.queries.test_questions import wilson

SQUAD = {"kind": "squad", "side": "red", "status": "on_map", "ammunition": 6, "morale": "normal", "fired": "hold"}
TIGER = {"kind": "tiger", "side": "blue", "status": "on_map", "ammunition": 12, "fired": "hold"}
UNITS = [
    *({**SQUAD, "turn": 0, "unit": f"S{n}"} for n in (1, 2, 3)),
    *({**SQUAD, "turn": 0, "unit": f"G{n}", "side": "blue", "ammunition": 8} for n in (1, 2)),
    *({**TIGER, "turn": 0, "unit": f"Tiger {n}"} for n in (1, 2)),
    {**TIGER, "turn": 0, "unit": "T-34", "kind": "t34_76", "side": "red", "ammunition": 10},
]
AT_SQUAD = {
    "turn": 1, "kind": "shot", "side": "red", "actor": "S1", "target": "G1", "weapon": "small_arms", "mode": "fire",
    "range_m": 300, "fire_dice": 4, "dice": 3, "result": "effect", "losses": 2, "dead": 1, "wounded": 1, "shells": 0,
}  # fmt: skip
AT_ARMOUR = {
    **AT_SQUAD, "side": "blue", "actor": "Tiger 1", "target": "T-34", "weapon": "gun", "range_m": 950,
    "facing": "front", "dice": 6, "value": 0.85, "result": "destroyed", "losses": 4, "dead": 4, "wounded": 0,
}  # fmt: skip
MISS = {**AT_ARMOUR, "facing": None, "dice": None, "value": None, "result": "no_effect", "losses": 0, "dead": 0}
BARRAGE = {"turn": 1, "kind": "barrage", "side": "blue", "weapon": "mortar", "dice": 2, "shells": 12}
SHELL = {"turn": 1, "kind": "shell", "side": "blue", "weapon": "mortar", "losses": 0, "dead": 0, "wounded": 0}


@pytest.fixture
def fought(small):
    """Makes an archive of First Contact with these events in one game; ``replications`` games in all."""

    def make(*events, replications=1, units=UNITS, **more):
        small(rulebook="first_contact", replications=replications).shard(
            games=[{"replication": r} for r in range(replications)], units=units, events=list(events), **more
        )

    return make


# casualties


def test_casualties_of_squads_and_vehicles_by_cause(fought, ask):
    fought(
        AT_SQUAD,
        AT_ARMOUR,
        {**SHELL, "target": "S2", "shells": 1, "result": "effect", "losses": 6, "dead": 6, "terrain": "trench"},
        {"turn": 2, "kind": "rout", "side": "red", "actor": "S2", "result": "wiped_out", "dead": 4, "wounded": 0},
        {"turn": 2, "kind": "melee", "side": "blue", "actor": "G1", "target": "S3", "dead": 1, "wounded": 0},
        turns=[{"turn": turn, "side": "red", "dead": dead} for turn, dead in enumerate((0, 6, 11))],
    )
    assert ask("casualties", "side kind cause terrain loss mean", turn=2, by="kind,cause,terrain") == [
        ("blue", "squad", "fire", None, "dead", 1.0),
        ("blue", "squad", "fire", None, "wounded", 1.0),
        ("red", "all", "all", "all", "dead", 11.0),
        ("red", "squad", "barrage", "trench", "dead", 6.0),
        ("red", "squad", "melee", None, "dead", 1.0),
        ("red", "squad", "rout", None, "dead", 4.0),
        ("red", "t34_76", "fire", None, "armour_lost", 1.0),
        ("red", "t34_76", "fire", None, "crew_lost", 4.0),
    ]
    assert ask("casualties", "kind turn mean", by="cause")[:2] == [("all", 0, 0.0), ("all", 1, 1.0)]


def test_casualties_of_men_have_quantiles_game_by_game(fought, ask):
    # Dead of G1: 3 in game 0, 1 in game 1, none in games 2 and 3.
    fought(
        {**AT_SQUAD, "dead": 2}, {**AT_SQUAD, "dead": 1}, {**AT_SQUAD, "replication": 1, "dead": 1},
        replications=4, turns=[{"turn": 1, "side": "blue", "dead": 0, "armour_lost": 0}],
    )  # fmt: skip
    rows = ask("casualties", "side kind loss mean median p05 p95")
    assert ("blue", "squad", "dead", 1.0, 0, 0, 3) in rows
    assert ("blue", "tiger", "armour_lost", 0.0, 0, 0, 0) in rows


# armour_kill_rates


def test_armour_kill_rates_by_gun_target_facing_and_range(fought, ask):
    fought(
        AT_ARMOUR,
        {**AT_ARMOUR, "actor": "Tiger 2", "facing": "side", "result": "penetrated", "losses": 0, "dead": 0},
        MISS,
        AT_SQUAD,  # not at armour
        {**SHELL, "target": "Tiger 1", "shells": 2, "result": "destroyed", "losses": 5, "dead": 5},
        {**SHELL, "target": "S1", "shells": 1, "result": "wiped_out", "losses": 10, "dead": 10},
    )
    columns = "side kind weapon shooter target facing range shots damaging kills shooter_turns"
    assert ask("armour_kill_rates", columns) == [
        ("blue", "barrage", "mortar", None, "tiger", None, None, 1, 1, 1, 0),
        ("red", "fire", "gun", "tiger", "t34_76", "front", "0801-1000", 1, 1, 1, 1),
        ("red", "fire", "gun", "tiger", "t34_76", "side", "0801-1000", 1, 1, 0, 1),
        ("red", "fire", "gun", "tiger", "t34_76", None, "0801-1000", 1, 0, 0, 1),
    ]
    columns = "kind shots kills kill_rate shooter_turns kills_a_turn"
    assert ask("armour_kill_rates", columns, by="target")[1] == ("fire", 3, 1, pytest.approx(1 / 3), 2, 0.5)
    assert ask("armour_kill_rates", "low high", by="target")[1] == wilson(1, 3)


# ammunition and morale


def test_ammunition_left_by_kind(fought, ask):
    fought(
        units=[
            *UNITS,
            # Turn 1: S1 has fired, S2 has suppressed and is empty, S3 is gone: 5 + 0 of 18 issued are left.
            {**SQUAD, "turn": 1, "unit": "S1", "ammunition": 5, "fired": "fire"},
            {**SQUAD, "turn": 1, "unit": "S2", "ammunition": 0, "fired": "suppress"},
            {**SQUAD, "turn": 1, "unit": "S3", "ammunition": 6, "status": "gone"},
        ],
    )
    columns = "side kind turn games issued left share_left units empty empty_share fired suppressing"
    rows = ask("ammunition", columns, turn=1)
    assert rows == [
        ("red", "all", 1, 1, 28.0, 5.0, pytest.approx(5 / 28), 2.0, 1.0, 0.5, 2.0, 1.0),
        ("red", "squad", 1, 1, 18.0, 5.0, pytest.approx(5 / 18), 2.0, 1.0, 0.5, 2.0, 1.0),
    ]
    # Blue at the start: 8 + 8 of its squads and 12 + 12 of its Tigers.
    assert ("blue", "all", 0, 1, 40.0, 40.0, 1.0, 4.0, 0.0, 0.0, 0.0, 0.0) in ask("ammunition", columns)


def test_morale_of_squads_on_the_map(fought, ask):
    fought(
        replications=2,
        units=[
            {**SQUAD, "turn": 1, "unit": "S1", "morale": "high"},
            {**SQUAD, "turn": 1, "unit": "S2", "morale": "low", "status": "gone"},
            {**SQUAD, "turn": 1, "unit": "S3"},
            {**SQUAD, "turn": 1, "unit": "S1", "replication": 1},
            {**TIGER, "turn": 1, "unit": "Tiger 1"},
        ],
    )
    assert ask("morale", "side turn morale games squads n share a_game") == [
        ("red", 1, "broken", 2, 3, 0, 0.0, 0.0),
        ("red", 1, "low", 2, 3, 0, 0.0, 0.0),
        ("red", 1, "normal", 2, 3, 2, pytest.approx(2 / 3), 1.0),
        ("red", 1, "high", 2, 3, 1, pytest.approx(1 / 3), 0.5),
    ]
    assert ask("morale", side="blue") == []


# barrage_effect and reserve_effect


def test_barrage_effect_by_side_and_kind_struck(fought, ask):
    fought(
        BARRAGE,
        {**SHELL, "target": "S1", "shells": 2, "result": "wiped_out", "losses": 10, "dead": 9, "wounded": 1},
        {**SHELL, "target": "T-34", "shells": 2, "result": "destroyed", "losses": 4, "dead": 4},
        {**SHELL, "target": "G1", "shells": 1, "result": "effect", "losses": 3, "dead": 3},
        {**SHELL, "target": None, "shells": 5, "result": "no_effect"},
        {**BARRAGE, "turn": 2, "shells": 6},
        {**SHELL, "turn": 2, "target": "T-34", "shells": 1, "result": "stunned"},
    )
    columns = "side struck kind barrages shells hits units dead wounded wiped_out destroyed stunned crew_lost"
    assert ask("barrage_effect", columns) == [
        ("blue", "blue", "all", 2, 18, 1, 1, 3, 0, 0, 0, 0, 0),
        ("blue", "blue", "squad", 2, 18, 1, 1, 3, 0, 0, 0, 0, 0),
        ("blue", "red", "all", 2, 18, 5, 3, 9, 1, 1, 1, 1, 4),
        ("blue", "red", "squad", 2, 18, 2, 1, 9, 1, 1, 0, 0, 0),
        ("blue", "red", "t34_76", 2, 18, 3, 2, 0, 0, 0, 1, 1, 4),
    ]
    shares = "hit_share dead_a_barrage destroyed_a_barrage"
    assert ask("barrage_effect", shares)[2] == (pytest.approx(5 / 18), 4.5, 0.5)


def test_reserve_effect_over_the_turns_since_they_came(fought, ask):
    # Tiger 2 waits and comes in turn 3; Tiger 1 is there. Only shots from turn 3 on count.
    waiting = {**TIGER, "unit": "Tiger 2", "status": "waiting"}
    units = [
        *(row if row["unit"] != "Tiger 2" else {**row, "status": "waiting"} for row in UNITS),
        *({**row, "turn": turn} for turn in (1, 2) for row in (waiting, {**TIGER, "unit": "Tiger 1"})),
        {**TIGER, "turn": 3, "unit": "Tiger 1", "status": "gone"},
        {**TIGER, "turn": 3, "unit": "Tiger 2"},
    ]
    fought(
        {**MISS, "turn": 2},
        {"turn": 3, "kind": "arrival", "side": "blue", "actor": "Tiger 2"},
        {**MISS, "turn": 3},
        {**AT_ARMOUR, "turn": 3, "actor": "Tiger 2"},
        {**AT_SQUAD, "turn": 3, "side": "blue", "actor": "Tiger 2", "target": "S1"},
        units=units,
        turns=[{"turn": turn, "side": side} for turn in range(4) for side in ("red", "blue")],
    )
    columns = "side arm reserve games units arrived mean_turn shots shots_a_unit armour_killed men_struck lost"
    vehicles = [row for row in ask("reserve_effect", columns) if row[:2] == ("blue", "vehicles")]
    assert vehicles == [
        ("blue", "vehicles", True, 1, 1, 1.0, 3.0, 2.0, 2.0, 1.0, 2.0, 0.0),
        ("blue", "vehicles", False, 1, 1, 1.0, None, 1.0, 1.0, 0.0, 0.0, 1.0),
    ]


# territory


def test_sectors_and_objectives_are_counted_apart(small, ask):
    holders = {"A1": "blue", "A2": "blue", "B10": "red", "farm": "blue", "top_trench": "red"}
    small(rulebook="first_contact", record="turns", replications=1).shard(
        games=[{"replication": 0}],
        turns=[{"turn": 1, "side": "blue", "territory": 2, "objectives": 1}],
        territory=[{"turn": 1, "place": place, "holder": holder} for place, holder in holders.items()],
    )
    assert ask("territory_by_turn", "places_are side games places mean share") == [
        ("objective", "blue", 1, 2, 1.0, 0.5),
        ("sector", "blue", 1, 3, 2.0, pytest.approx(2 / 3)),
    ]
    assert ask("objective_control", "objective blue_at_end") == [("farm", 1), ("top_trench", 0)]


# loss_exchange_ratio


def test_loss_exchange_ratio_is_one_of_sums(small, ask):
    lost = {0: (10, 20, 4, 1), 1: (30, 0, 2, 1)}
    small(rulebook="first_contact").shard(
        games=[
            {"replication": r, "red_men_lost": a, "blue_men_lost": b, "red_armour_lost": c, "blue_armour_lost": d}
            for r, (a, b, c, d) in lost.items()
        ]
    )
    # Men: 40 against 20, not the mean of 1/2 and of one without end. Armour: 6 against 2.
    assert ask("loss_exchange_ratio", "side loss games enemy_lost own_lost ratio") == [
        ("blue", "armour", 2, 6, 2, 3.0),
        ("blue", "men", 2, 40, 20, 2.0),
        ("red", "armour", 2, 2, 6, pytest.approx(1 / 3)),
        ("red", "men", 2, 20, 40, 0.5),
    ]
    # Of two games a draw has both, or one of them twice: 2 or 4 for armour; for men 1/2 or without end.
    assert ask("loss_exchange_ratio", "low high")[0] == (2.0, 4.0)
    assert ask("loss_exchange_ratio", "low high")[1] == (0.5, None)


def test_loss_exchange_ratio_without_own_losses_is_null(small, ask):
    small(rulebook="tank_hex").shard(games=[{"replication": 0, "red_armour_lost": 3, "blue_armour_lost": 0}])
    assert ask("loss_exchange_ratio", "side ratio low high") == [("blue", None, None, None), ("red", 0.0, None, None)]


def test_loss_exchange_ratio_resamples_all_cells_alike(small, ask):
    games = [
        {"cell": cell, "replication": r, "red_armour_lost": 1 + r % 3, "blue_armour_lost": 1 + r % 2}
        for cell in (0, 1)
        for r in range(30)
    ]
    small(rulebook="tank_hex", cells=2, replications=30).shard(games=games)
    first, second = (row for row in ask("loss_exchange_ratio", "side low high") if row[0] == "blue")
    assert first == second
    assert first[1] < 60 / 45 < first[2]


def test_loss_exchange_ratio_has_the_interval_of_the_statistics(small, ask):
    seed, n = 20260102, 80
    red, blue = np.random.default_rng(seed).poisson([[30], [10]], (2, n))
    games = [{"replication": r, "red_armour_lost": int(red[r]), "blue_armour_lost": int(blue[r])} for r in range(n)]
    small(rulebook="tank_hex", replications=n).shard(games=games)
    twin = ratio_of_sums(red[:, None], blue[:, None], seed=1)
    # Two bootstraps agree but for the noise of their own draws: a few per cent of the interval's width.
    near = pytest.approx((twin.low[0], twin.high[0]), abs=0.1 * float(twin.high[0] - twin.low[0]))
    assert [row[1:] for row in ask("loss_exchange_ratio", "side low high", draws=2000) if row[0] == "blue"] == [near]


def test_barbarossa_has_no_exchange(small, ask):
    small().shard(games=[{"replication": 0}])
    assert ask("loss_exchange_ratio") == []
