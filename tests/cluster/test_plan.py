"""Plans: pure, complete and cut into shards in which every game is once."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cluster import experiment
from cluster.plan import (
    LONGEST_SHARD_SECONDS,
    SHARD_ROWS,
    SHARD_SECONDS,
    Cell,
    CellInputs,
    Plan,
    Round,
    count_shards,
    shards_of,
    tables_at,
    tables_of,
)
from cluster.planner import Planned, make_plan
from queries.catalog import SCHEMA_VERSION

FILE = """
name = "test"
seed = 7
replications = 100

[[play]]
scenarios = ["barbarossa/*"]
blue = ["hold"]
red = ["easy", "random"]
"""


@pytest.fixture
def planned(tmp_path: Path):
    def plan(old: str = "", new: str = "", more: str = "") -> Planned:
        assert old in FILE
        (tmp_path / "test.toml").write_text(FILE.replace(old, new) + more)
        return make_plan(experiment.read(str(tmp_path / "test.toml")))

    return plan


def cell(number: int, seconds: float, rows: int, rulebook: str = "a") -> Cell:
    inputs = CellInputs(scenario="", map="", rules="", red="", blue="")
    return Cell(
        number=number, content=str(number), rulebook=rulebook, scenario="", red_policy="", blue_policy="", factors={},
        inputs=inputs, seed=0, seconds=seconds, rows=rows,
    )  # fmt: skip


def plan_of(cells: list[Cell]) -> Plan:
    return Plan(
        schema_version=SCHEMA_VERSION, name="test", label="", seed=0, common_random_numbers=True, replications=1,
        record="events", sample=None, code="", rulebooks={}, shard_seconds=SHARD_SECONDS, units={}, cells=cells,
    )  # fmt: skip


cells = st.lists(
    st.tuples(st.floats(1e-5, 100), st.integers(1, 5000), st.sampled_from("ab")), min_size=1, max_size=8
).map(lambda rows: [cell(i, seconds, count, book) for i, (seconds, count, book) in enumerate(rows)])
rounds = st.lists(st.integers(1, 300), min_size=1, max_size=3).map(
    lambda ends: list(itertools.pairwise([0, *itertools.accumulate(ends)]))
)
"""First and last replication of rounds that add the same to each cell."""


def alike(cells: list[Cell], rounds: list[tuple[int, int]]) -> list[Round]:
    return [Round((first,) * len(cells), (end,) * len(cells)) for first, end in rounds]


@settings(deadline=None)
@given(cells, rounds)
def test_every_game_is_in_one_shard_in_plan_order(cells: list[Cell], rounds: list[tuple[int, int]]) -> None:
    shards = list(shards_of(plan_of(cells), alike(cells, rounds)))
    pieces = [piece for shard in shards for piece in shard.pieces]
    wanted = [(first, cell.number) for first, _ in rounds for cell in cells]
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert all(piece.count > 0 for piece in pieces)
    assert all(cells[piece.cell].rulebook == shard.rulebook for shard in shards for piece in shard.pieces)
    found = []
    for piece in pieces:
        if found and found[-1][1] == piece.cell and found[-1][2] == piece.first:
            found[-1][2] += piece.count
        else:
            found.append([piece.first, piece.cell, piece.first + piece.count])
    merged: dict[tuple[int, int], int] = {(first, number): end for first, number, end in found}
    ends = dict(rounds)
    # A single cell's rounds run into each other.
    if len(cells) > 1:
        assert list(merged) == wanted
        assert all(end == ends[first] for (first, _), end in merged.items())
    assert sum(shard.games for shard in shards) == rounds[-1][1] * len(cells)


@settings(deadline=None)
@given(cells, rounds)
def test_a_shard_is_neither_too_small_nor_too_long(cells: list[Cell], rounds: list[tuple[int, int]]) -> None:
    shards = list(shards_of(plan_of(cells), alike(cells, rounds[:1])))
    for shard in shards:
        seconds = sum(piece.count * cells[piece.cell].seconds for piece in shard.pieces)
        rows = sum(piece.count * cells[piece.cell].rows for piece in shard.pieces)
        last = cells[shard.pieces[-1].cell]
        assert seconds <= max(LONGEST_SHARD_SECONDS, SHARD_SECONDS) + last.seconds or shard.games == 1
        is_last = shard is shards[-1] or shards[shard.number + 1].rulebook != shard.rulebook
        assert is_last or rows >= SHARD_ROWS - last.rows or seconds >= LONGEST_SHARD_SECONDS - last.seconds


@settings(deadline=None)
@given(cells, rounds)
def test_a_later_round_moves_no_shard(cells: list[Cell], rounds: list[tuple[int, int]]) -> None:
    before = list(shards_of(plan_of(cells), alike(cells, rounds[:-1])))
    assert list(shards_of(plan_of(cells), alike(cells, rounds)))[: len(before)] == before


@settings(deadline=None)
@given(cells, st.data())
def test_a_round_may_add_other_games_to_each_cell(cells: list[Cell], data: st.DataObject) -> None:
    first = [data.draw(st.integers(0, 300)) for _ in cells]
    end = [before + data.draw(st.integers(0, 300)) for before in first]
    games = [
        (piece.cell, piece.first + number)
        for shard in shards_of(plan_of(cells), [Round(tuple(first), tuple(end))])
        for piece in shard.pieces
        for number in range(piece.count)
    ]
    assert games == [(cell, number) for cell in range(len(cells)) for number in range(first[cell], end[cell])]


def test_the_same_file_gives_the_same_plan(planned) -> None:
    first, second = planned(), planned()
    assert first == second
    assert first.plan.id == second.plan.id


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "test"', 'name = "other"'),
        ("seed = 7", "seed = 8"),
        ("seed = 7", 'seed = 7\nlabel = "night 2"'),
        ("seed = 7", 'seed = 7\nrecord = "units"'),
        ("seed = 7", "seed = 7\ncommon_random_numbers = false"),
        ("seed = 7", 'seed = 7\nrecord = "games"\nsample = { level = "events", every = 9 }'),
        ('"easy", "random"', '"random", "easy"'),
        ('blue = ["hold"]', 'blue = ["hold"]\nfactors = { "doctrine.blue.retreats" = [0] }'),
        ('blue = ["hold"]', 'blue = ["hold"]\nfactors = { "options.five" = ["two_attacks"] }'),
    ],
)
def test_whatever_changes_results_or_files_changes_the_id(planned, old: str, new: str) -> None:
    assert planned(old, new).plan.id != planned().plan.id


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("replications = 100", "replications = 101"),
        ("replications = 100", "replications = 100\nuntil = { half_width = 0.01, at_most = 5000 }"),
        ("seed = 7", "# lucky\nseed = 7"),
        ('"barbarossa/*"', '"barbarossa/barbarossa", "barbarossa/blue", "barbarossa/uranus"'),
        ('"easy", "random"', '"easy", "random", "easy"'),
    ],
)
def test_what_changes_neither_does_not(planned, old: str, new: str) -> None:
    assert planned(old, new).plan.id == planned().plan.id


def test_code_and_user_policies_are_part_of_the_id(planned, tmp_path, monkeypatch) -> None:
    policy = tmp_path / "mine.py"
    policy.write_text("from sim.barbarossa.policies.hold import POLICY as HOLD\nmine = HOLD\n")
    before = planned('"hold"', '"mine.py:mine"').plan
    assert before.cells[0].blue_policy == "mine.py:mine"
    policy.write_text(policy.read_text() + "# edited\n")
    assert planned('"hold"', '"mine.py:mine"').plan.id != before.id
    id_here = planned().plan.id
    monkeypatch.setattr("cluster.planner.source_hash", lambda: "another")
    assert planned().plan.id != id_here


def test_cells_are_in_the_order_of_the_file(planned) -> None:
    plan = planned("seed = 7", "seed = 7", '[play.factors]\n"options.five" = ["two_attacks", "reroll"]\n').plan
    assert [(c.scenario, c.red_policy, c.factors["options.five"]) for c in plan.cells[:5]] == [
        ("barbarossa/barbarossa", "easy", "two_attacks"),
        ("barbarossa/barbarossa", "easy", "reroll"),
        ("barbarossa/barbarossa", "random", "two_attacks"),
        ("barbarossa/barbarossa", "random", "reroll"),
        ("barbarossa/blue", "easy", "two_attacks"),
    ]
    assert [c.number for c in plan.cells] == list(range(12))


def test_factors_reach_scenario_map_rules_options_and_doctrines(planned) -> None:
    point = {
        "scenario.first_phase": '["soviet_attacks"]',
        "map.supply_sources.0": '["Siberia"]',
        "rules.reinforcements.each_turn": "[2]",
        "options.vacated": '["garrison"]',
        "doctrine.blue.retreats": "[0]",
        "doctrine.red.japanese_attack": "[1]",
    }
    plan, inputs, _ = planned(
        '"barbarossa/*"', '"blue"', "[play.factors]\n" + "\n".join(f'"{key}" = {value}' for key, value in point.items())
    )
    of = {kind: inputs[name] for kind, name in plan.cells[0].inputs.model_dump().items()}
    assert of["scenario"]["first_phase"] == "soviet_attacks"
    assert of["map"]["supply_sources"][0] == "Siberia"
    assert of["rules"]["reinforcements"]["each_turn"]["value"] == 2
    assert of["rules"]["options"]["vacated"]["value"] == "garrison"
    assert of["blue"]["doctrine"] == {"retreats": 0}
    assert of["red"]["doctrine"]["japanese_attack"] == 1


def test_common_random_numbers_or_a_seed_for_each_cell(planned, tmp_path) -> None:
    shared = planned().plan
    assert {c.seed for c in shared.cells} == {7}
    own = planned("seed = 7", "seed = 7\ncommon_random_numbers = false").plan
    assert len({c.seed for c in own.cells}) == len(own.cells)
    # The seed comes from what a cell is, not from its place.
    text = FILE.replace("seed = 7", "seed = 7\ncommon_random_numbers = false").replace(
        '"easy", "random"', '"random", "easy"'
    )
    (tmp_path / "moved.toml").write_text(text)
    moved = make_plan(experiment.read(str(tmp_path / "moved.toml"))).plan
    assert [c.content for c in own.cells] != [c.content for c in moved.cells]
    assert {c.content: c.seed for c in own.cells} == {c.content: c.seed for c in moved.cells}


def test_record_levels_and_samples_say_which_tables_there_are(planned) -> None:
    assert tables_at("games") == ["games"]
    assert tables_at("turns") == ["turns", "territory", "games"]
    assert tables_at("units") == ["turns", "units", "territory", "games"]
    assert tables_at("events") == ["turns", "units", "territory", "events", "games"]
    sampled = planned("seed = 7", 'seed = 7\nrecord = "games"\nsample = { level = "units", every = 10 }')
    assert tables_of(sampled.plan) == tables_at("units")
    assert sampled.estimate.bytes == pytest.approx(
        sampled.estimate.bytes_at["games"] + sampled.estimate.bytes_at["units"] / 10
    )


def test_an_expensive_policy_makes_small_shards(planned) -> None:
    def shards(plan: Plan) -> int:
        return count_shards(plan, alike(plan.cells, [(0, 1000)]))

    plan = planned('"hold"', '"slow"', '[policies.slow]\npolicy = "hold"\ncost = 1000\n').plan
    assert shards(plan) > 5 * shards(planned().plan)
    assert (
        plan.cells[0].content == planned('"hold"', '"slow"', '[policies.slow]\npolicy = "hold"\n').plan.cells[0].content
    )
