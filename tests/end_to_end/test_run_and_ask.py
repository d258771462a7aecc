"""An experiment played and asked from the command line: every answer agrees with every other."""

import json
from collections import defaultdict

import pytest

from cluster import cli

EXPERIMENT = """
name = "agree"
seed = 11
replications = 40

[[play]]
scenarios = ["barbarossa/blue", "barbarossa/uranus"]
red = ["easy", "difficult"]
blue = ["hold"]

[play.factors]
"doctrine.blue.retreats" = [0, 1]
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    folder = tmp_path_factory.mktemp("agree")
    (folder / "agree.toml").write_text(EXPERIMENT)
    assert cli.run(["run", str(folder / "agree.toml"), "--archive", str(folder / "archive"), "--inline"]) == 0
    return folder / "archive"


@pytest.fixture
def ask(archive, capsys):
    """The rows of an answer as dictionaries."""

    def answer(command, *words):
        capsys.readouterr()
        given = [command, words[0], str(archive)] if command == "query" else [command, str(archive), words[0]]
        assert cli.run([*given, *words[1:], "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return answer


def by_cell(rows, value):
    """The sum of a value over the rows of each cell."""
    sums = defaultdict(float)
    for row in rows:
        sums[row["cell"]] += value(row)
    return dict(sums)


def test_every_cell_is_there_with_its_factor(ask):
    cells = ask("query", "win_rates")
    assert [row["games"] for row in cells] == [40] * 8
    assert {(row["scenario"], row["red_policy"], row["doctrine.blue.retreats"]) for row in cells} == {
        (f"barbarossa/{scenario}", red, retreats)
        for scenario in ("blue", "uranus")
        for red in ("easy", "difficult")
        for retreats in (0, 1)
    }


def test_wins_and_outcomes_add_up_to_the_games(ask):
    for row in ask("query", "win_rates"):
        assert row["blue_wins"] + row["red_wins"] + row["draws"] == row["games"]
        assert row["blue_low"] <= row["blue_win_rate"] <= row["blue_high"]
    assert set(by_cell(ask("query", "outcomes"), lambda row: row["n"]).values()) == {40}


def test_losses_agree_by_side_kind_unit_and_game(ask):
    casualties = ask("query", "casualties", "--param", "turn=13")
    by_side = by_cell((row for row in casualties if row["kind"] == "all"), lambda row: row["mean"])
    by_kind = by_cell((row for row in casualties if row["kind"] != "all"), lambda row: row["mean"])
    by_unit = by_cell(ask("query", "unit_fates"), lambda row: row["mean_times_lost"])
    by_game = {
        row["cell"]: row["mean"]
        for row in ask("sql", "select cell, avg(axis_units_lost) as mean from games group by all")
    }
    assert by_side == pytest.approx(by_game)
    assert by_kind == pytest.approx(by_game)
    assert by_unit == pytest.approx(by_game)


def test_territory_agrees_by_side_place_and_game(ask):
    by_side = by_cell(
        (row for row in ask("query", "territory_by_turn", "--param", "side=blue") if row["turn"] == 13),
        lambda row: row["mean"],
    )
    by_place = by_cell(ask("query", "region_holders", "--param", "turn=13"), lambda row: row["blue_share"])
    by_game = {
        row["cell"]: row["mean"]
        for row in ask("sql", "select cell, avg(blue_territory) as mean from games group by all")
    }
    assert by_side == pytest.approx(by_game)
    assert by_place == pytest.approx(by_game)


def test_soviet_attacks_agree_by_target_and_result(ask):
    targets = by_cell(ask("query", "soviet_targets"), lambda row: row["attacks"])
    results = by_cell(ask("query", "attack_results"), lambda row: row["n"])
    assert targets == results
    for row in ask("query", "soviet_targets"):
        assert row["all_attacks"] == targets[row["cell"]]


def test_a_unit_ends_in_one_place_in_every_game(ask):
    for row in ask("query", "unit_fates"):
        assert row["on_map"] + row["waiting"] + row["gone"] == row["games"] == 40


def test_a_game_of_the_archive_is_played_again_as_it_was(ask, capsys):
    (cell,) = ask("sql", "from cells where scenario = 'barbarossa/uranus' and red_policy = 'difficult' "
                         'and "doctrine.blue.retreats" = 0')  # fmt: skip
    game = ["play", cell["scenario"], "--red", "difficult", "--blue", "hold", "--seed", str(cell["seed"])]
    assert cli.run([*game, "--replication", "7", "--set", "doctrine.blue.retreats=0", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    for table in ("events", "units", "territory", "turns"):
        rows = ask("sql", f"select * exclude (experiment, rulebook, cell, replication) from {table} "
                          f"where cell = {cell['cell']} and replication = 7")  # fmt: skip
        known = [{key: value for key, value in row.items() if value is not None} for row in rows]
        assert again[table] == known
