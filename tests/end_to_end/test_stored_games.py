"""Games of an archive told again, compared with their record and gone on with, as a user types it."""

import itertools
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cluster import cli, fork, stored_game
from cluster.compared import Difference, differences
from tests.archive.test_verify import with_value
from tests.end_to_end.conftest import STUCK

EXPERIMENT = """
name = "{name}"
seed = 5
replications = {replications}
{record}

[[play]]
scenarios = ["barbarossa/uranus"]
red = ["medium"]
blue = ["steady", "hold"]

[play.factors]
"options.vacated" = ["at_once", "garrison"]
"""
GAME = ["--cell", 1, "--replication", 7]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Archives by name, each of one experiment."""
    made = {}

    def play(name: str, record: str = "", replications: int = 20) -> Path:
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            text = EXPERIMENT.format(name=name, record=record, replications=replications)
            (folder / "experiment.toml").write_text(text)
            words = ["run", str(folder / "experiment.toml"), "--archive", str(folder / "archive"), "--inline"]
            assert cli.run(words) == 0
            made[name] = folder / "archive"
        return made[name]

    return play


@pytest.fixture
def archive(played, capsys):
    found = played("full")
    capsys.readouterr()
    return found


@pytest.fixture
def typed(capsys):
    def type_it(*words, code=0):
        capsys.readouterr()
        found = cli.run([str(word) for word in words])
        out, err = capsys.readouterr()
        assert found == code, err
        return out, err

    return type_it


# Replay


def test_replay_tells_the_game_as_play_does(typed, archive):
    out, err = typed("replay", archive, *GAME)
    words = [
        "--blue",
        "steady",
        "--red",
        "medium",
        "--seed",
        5,
        "--replication",
        7,
        "--set",
        "options.vacated=garrison",
    ]
    alone, _ = typed("play", "uranus", *words)
    assert out.splitlines()[1:] == alone.splitlines()[1:]
    assert out.startswith("Operation Uranus  Axis: steady, Soviet Union: medium  seed 5, cell 1, replication 7\n")
    assert err == "note: as it was recorded in events, games, territory, turns, units\n"


def test_replay_of_a_turn_is_its_chapter(typed, archive):
    whole, _ = typed("replay", archive, *GAME)
    part, _ = typed("replay", archive, *GAME, "--turn", 8)
    chapter = part.split("\n\n")[1].strip()
    assert chapter.startswith("Autumn 1943 (A43)\n")
    assert f"\n{chapter}\n" in whole
    assert "Summer 1943" not in part


def test_replay_as_json_has_the_rows_of_the_archive(typed, archive):
    data = json.loads(typed("replay", archive, *GAME, "--json")[0])
    assert data["differences"] == []
    assert data["compared"] == ["turns", "units", "territory", "events", "games"]
    query = "select * exclude (experiment, rulebook, cell, replication) from units where cell = 1 and replication = 7"
    rows = json.loads(typed("sql", archive, query, "--json")[0])
    assert data["units"] == [{key: value for key, value in row.items() if value is not None} for row in rows]
    turn = json.loads(typed("replay", archive, *GAME, "--turn", 8, "--json")[0])
    assert {row["turn"] for table in ("turns", "units", "events", "story") for row in turn[table]} == {8}


@pytest.mark.parametrize(
    ("record", "compared"),
    [("games", ["games"]), ("turns", ["turns", "territory", "games"])],
)
def test_replay_compares_what_was_recorded(typed, played, record, compared):
    archive = played(record, f'record = "{record}"')
    data = json.loads(typed("replay", archive, *GAME, "--json")[0])
    assert data["compared"] == compared
    assert data["differences"] == []
    assert data["events"]


def test_replay_names_what_differs(typed, played):
    archive = played("changed")
    (path,) = archive.glob("*/units/**/*.parquet")
    rows = pq.ParquetFile(path).read()
    place = next(i for i, row in enumerate(rows.to_pylist()) if (row["cell"], row["replication"]) == (1, 7))
    due = rows["due"][place].as_py() or 0
    changed = with_value(rows, "due", place, due + 1)
    pq.write_table(changed, path)
    out, err = typed("replay", archive, *GAME, code=1)
    assert out.endswith(".\n")  # the game is told all the same
    unit = rows["unit"][place].as_py()
    was = due or None
    assert err == f"differs: units, turn 5, unit {unit}, due: the archive has {due + 1}, played again {was}\n"
    (difference,) = json.loads(typed("replay", archive, *GAME, "--json", code=1)[0])["differences"]
    assert difference == {
        "table": "units", "turn": 5, "thing": f"unit {unit}", "field": "due", "recorded": due + 1, "replayed": was,
    }  # fmt: skip


def test_replay_as_a_page(typed, archive, tmp_path):
    out, err = typed("replay", archive, *GAME, "--turn", 8, "--html", tmp_path / "game.html")
    assert out == ""
    assert err == (
        f"written into {tmp_path / 'game.html'}\nnote: as it was recorded in events, games, territory, turns, units\n"
    )
    page = (tmp_path / "game.html").read_text()
    assert "<title>Operation Uranus</title>" in page
    assert "Axis: steady, Soviet Union: medium; seed 5, cell 1, replication 7" in page


def test_rows_that_are_missing_differ():
    assert str(Difference("events", 5, "seq 3", "", True, False)) == (
        "events, turn 5, seq 3: only the archive has this row"
    )
    assert str(Difference("events", 5, "seq 3", "", False, True)) == "events, turn 5, seq 3: the archive lacks this row"


def test_differences_are_told_turn_by_turn_and_rows_that_are_there_twice_are_one():
    row = {"cell": 3, "replication": 1, "turn": 2, "place": "Kiev", "holder": "blue"}
    later = {**row, "turn": 10, "holder": "red"}
    told = differences("territory", [later, row], [{**later, "cell": 0, "holder": "blue"}, {**row, "holder": None}])
    assert [str(it) for it in told] == [
        "territory, turn 2, place Kiev, holder: the archive has blue, played again None",
        "territory, turn 10, place Kiev, holder: the archive has red, played again blue",
    ]
    assert [str(it) for it in differences("territory", [row, row], [row])] == [
        "territory, rows: the archive has 2, played again 1"
    ]
    assert list(differences("territory", [row], [row])) == []


def test_replay_says_that_other_code_has_played(typed, archive, monkeypatch):
    monkeypatch.setattr(stored_game, "source_hash", lambda: "another")
    _, err = typed("replay", archive, *GAME)
    assert err.startswith("note: other rules or policies than those here played this archive\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["replay", "{archive}", "--cell", "4"], "--cell: 4 is wrong: the experiment has cells 0 to 3"),
        (["replay", "{archive}", "--replication", "20"], "--replication: 20 is wrong: the experiment has replications"),
        (["replay", "{archive}", "--turn", "3"], "--turn: 3 is wrong: the game has turns 5 (the set-up) to 13"),
        (["replay", "{archive}/nowhere"], "{archive}/nowhere: there is no such folder"),
        (["replay", "{archive}", "--html", "{archive}/no/x.html"], "{archive}/no/x.html: cannot be written"),
        (["fork", "{archive}"], "missing option '--turn'"),
        (["fork", "{archive}", "--turn", "14"], "--turn: 14 is wrong: the game has turns 5 (the set-up) to 13"),
        (["fork", "{archive}", "--turn", "8", "--blue", "hodl"], "barbarossa has no policy 'hodl' for blue"),
        (["fork", "{archive}", "--turn", "8", "--set", "doctrine.x=1"], "doctrine.x: leads nowhere"),
        (["fork", "{archive}", "--turn", "8", "--set", "doctrine.blue.retreats=1"], "retreats: policy steady has no"),
        (["fork", "{archive}", "--turn", "8", "--set", "options.vacatd=1"], "options.vacatd: 'vacatd' leads nowhere"),
        (["turning-points", "{archive}", "--cell", "9"], "--cell: 9 is wrong"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_in_one_line(typed, archive, words, says):
    _, err = typed(*(word.format(archive=archive) for word in words), code=2)
    assert err.count("\n") == 1
    assert says.format(archive=archive) in err


def test_an_archive_of_several_experiments_wants_one_named(typed, archive, tmp_path, played):
    for each in (archive, played("games", 'record = "games"')):
        for folder in each.iterdir():
            (tmp_path / folder.name).symlink_to(folder)
    assert "holds 2 experiments: name one of them, such as " in typed("replay", tmp_path, code=2)[1]
    typed("replay", next(tmp_path.iterdir()))


def test_a_game_that_failed_is_told_and_goes_no_further(typed, tmp_path):
    (tmp_path / "mine.py").write_text(STUCK)
    text = 'name = "stuck"\nseed = 1\nreplications = 1\n[[play]]\nscenarios = ["barbarossa/uranus"]\n'
    (tmp_path / "stuck.toml").write_text(f'{text}red = ["medium"]\nblue = ["mine.py:STUCK"]\n')
    archive = tmp_path / "archive"
    assert cli.run(["run", str(tmp_path / "stuck.toml"), "--archive", str(archive), "--inline"]) == 0
    out, err = typed("replay", archive)
    assert out.endswith("Failed in Summer 1943 (S43): bad move by the policy of Axis (value 0).\n")
    assert err == "note: as it was recorded in games\n"
    for words, says in (
        (["replay", "--turn", 6], "--turn: the game failed: it has no turns"),
        (["replay", "--html", tmp_path / "x.html"], "--html: the game failed: it has no turns to show"),
        (["fork", "--turn", 6], "the game failed in turn 7: it cannot be gone on with"),
        (["turning-points"], "the game failed in turn 7: it cannot be gone on with"),
    ):
        assert typed(words[0], archive, *words[1:], code=2)[1] == f"error: {says}\n"


# Fork


def forked(typed, archive, *words):
    return json.loads(typed("fork", archive, *words, "--json")[0])


def test_worlds_are_never_the_games_own_and_all_different():
    worlds = [w for turn in range(4, 14) for w in fork.worlds_of(5, 7, turn, 300)]
    assert 0 not in worlds
    assert len(set(worlds)) == len(worlds)
    assert fork.worlds_of(5, 7, 4, 3) == worlds[:3]
    assert fork.worlds_of(5, 8, 4, 3) != worlds[:3]


def test_forks_differ_from_each_other_and_are_the_same_again(typed, archive):
    first = forked(typed, archive, *GAME, "--turn", 6, "--games", 200)
    assert sum(way["n"] > 0 for way in first["outcomes"].values()) >= 3
    assert sum(way["n"] for way in first["outcomes"].values()) == first["games"] == 200
    assert sum(way["n"] for way in first["winners"].values()) == 200
    assert forked(typed, archive, *GAME, "--turn", 6, "--games", 200) == first
    assert forked(typed, archive, *GAME, "--turn", 7, "--games", 200)["outcomes"] != first["outcomes"]


def test_a_fork_at_the_last_turn_gives_the_games_own_result(typed, archive):
    for replication in range(3):
        found = forked(typed, archive, "--replication", replication, "--turn", 13, "--games", 20)
        assert found["winners"][found["game"]["winner"]]["n"] == 20
        assert found["outcomes"][found["game"]["outcome"]]["n"] == 20


def test_forks_of_the_set_up_win_as_often_as_the_cell(typed, played):
    archive = played("many", 'record = "games"', 400)
    rates = {row["cell"]: row for row in json.loads(typed("query", "win_rates", archive, "--json")[0])}
    for cell in (0, 3):
        found = forked(typed, archive, "--cell", cell, "--turn", 5, "--games", 1000)
        for side in ("blue", "red"):
            chance = found["winners"][side]
            assert chance["low"] <= chance["share"] <= chance["high"]
            assert chance["low"] <= rates[cell][f"{side}_high"]
            assert rates[cell][f"{side}_low"] <= chance["high"]


def test_a_fork_with_another_policy_stands_beside_the_unchanged_one(typed, archive):
    words = [*GAME, "--turn", 6, "--games", 300]
    other = forked(typed, archive, *words, "--blue", "hold")
    assert other["unchanged"]["outcomes"] == forked(typed, archive, *words)["outcomes"]
    assert other["outcomes"] != other["unchanged"]["outcomes"]
    same = forked(typed, archive, *words, "--blue", "steady")
    assert same["outcomes"] == same["unchanged"]["outcomes"]


def test_a_fork_with_other_values(typed, archive):
    # Cell 0 differs from cell 1 in this option alone: forks of its set-up are those of the other under its value.
    words = ["--replication", 7, "--turn", 5, "--games", 100]
    other = forked(typed, archive, "--cell", 0, *words, "--set", "options.vacated=garrison")
    assert other["outcomes"] == forked(typed, archive, "--cell", 1, *words)["outcomes"]
    assert other["settings"] == {"options.vacated": "garrison"}


def test_fork_as_text(typed, archive):
    out, err = typed("fork", archive, *GAME, "--turn", 8, "--games", 100, "--set", "doctrine.red.difficulty=3")
    assert err == ""
    assert out.startswith("Operation Uranus  Axis: steady, Soviet Union: medium  cell 1, replication 7\n")
    assert out.splitlines()[1] == "100 forks after Autumn 1943 (A43) with doctrine.red.difficulty=3"
    assert re.search(r"^Soviet Union wins +(this game +)?\d+ +[\d.]+ % +[\d.]+ – [\d.]+ % +[\d.]+ %", out, re.MULTILINE)
    assert out.count("this game") == 2


# Turning points


def test_turning_points(typed, archive):
    data = json.loads(typed("turning-points", archive, *GAME, "--games", 100, "--json")[0])
    turns = data["turns"]
    assert [row["turn"] for row in turns] == list(range(5, data["game"]["turns"] + 1))
    assert turns[-1]["winners"][data["game"]["winner"]]["share"] == 1
    assert turns[0]["moved"] is None
    for before, after in itertools.pairwise(turns):
        moved = after["winners"]["blue"]["share"] - before["winners"]["blue"]["share"]
        assert after["moved"] == pytest.approx(moved)
    marked = [row for row in turns if row["turning_point"]]
    assert 1 <= len(marked) <= 3
    least = min(abs(row["moved"]) for row in marked)
    assert all(abs(row["moved"]) <= least or row["turning_point"] for row in turns[1:])
    again = forked(typed, archive, *GAME, "--turn", turns[2]["turn"], "--games", 100)
    assert turns[2]["outcomes"] == again["outcomes"]


def test_turning_points_as_a_chart(typed, archive):
    out, _ = typed("turning-points", archive, *GAME, "--games", 100)
    lines = out.splitlines()
    assert lines[1] == "100 forks at each turn"
    assert lines[4].startswith("Set-up ")
    assert all("●" in line for line in lines[4:])
    assert sum("▲" in line or "▼" in line for line in lines[4:]) in (1, 2, 3)


def test_what_moves_within_the_luck_of_the_forks_is_no_turning_point():
    def chances(k):
        return fork.Chances(100, 0, {"blue": fork.chance(k, 100)}, {})

    assert not fork._surely(chances(50), chances(60))
    assert fork._surely(chances(40), chances(60))
    assert fork._surely(chances(60), chances(40))
    assert not fork._surely(chances(0), fork.Chances(0, 100, {"blue": fork.chance(0, 0)}, {}))


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_chances_have_wilsons_interval(k, n, low, high):
    found = fork.chance(k, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@pytest.mark.parametrize(
    ("scenario", "red", "blue"),
    [("tank_hex/river_crossing", "random", "static_defence"), ("first_contact/prokhorovka", "hold", "random")],
)
def test_every_rulebook_is_replayed_and_forked(typed, tmp_path, scenario, red, blue):
    text = f'name = "other"\nseed = 1\nreplications = 2\n[[play]]\nscenarios = ["{scenario}"]\n'
    (tmp_path / "other.toml").write_text(f'{text}red = ["{red}"]\nblue = ["{blue}"]\n')
    assert cli.run(["run", str(tmp_path / "other.toml"), "--archive", str(tmp_path / "archive"), "--inline"]) == 0
    archive = tmp_path / "archive"
    assert json.loads(typed("replay", archive, "--replication", 1, "--json")[0])["differences"] == []
    last = json.loads(typed("sql", archive, "select max(turn) as turn from turns", "--json")[0])[0]["turn"]
    found = forked(typed, archive, "--turn", last, "--games", 3)
    assert found["winners"][found["game"]["winner"]]["n"] == 3
    assert forked(typed, archive, "--turn", 0, "--games", 3)["games"] == 3
