"""`play`: one game, told."""

import json
import re

from cluster import cli
from tests.end_to_end.conftest import STUCK

GAME = ["play", "uranus", "--blue", "hold", "--red", "medium", "--seed", "3", "--replication", "1"]


def test_play_tells_a_game(duosuan):
    lines = duosuan(*GAME).out.splitlines()
    assert lines[0] == "Operation Uranus  Axis: hold, Soviet Union: medium  seed 3, replication 1"
    assert lines[2:4] == ["Set-up", "  Velikje Luki: 16th Army."]
    titles = [line for line in lines if re.fullmatch(r"(Winter|Summer|Autumn) 194\d \([WSA]4\d\)", line)]
    assert titles[0] == "Winter 1943 (W43)"
    assert titles[-1] == "Summer 1945 (S45)"
    assert len(titles) == 8
    assert re.search(r"    On \w+( \w+)? \(\d units?\): die [123], ", "\n".join(lines))
    assert re.fullmatch(r".*: \d+ Axis regions? at the end of Summer 1945 \(S45\)\.", lines[-1])


def test_play_as_json_is_the_same_game(duosuan):
    text = duosuan(*GAME).out
    data = json.loads(duosuan(*GAME, "--json").out)
    assert data["policies"] == {"blue": "hold", "red": "medium"}
    assert (data["seed"], data["replication"]) == (3, 1)
    assert text.splitlines()[-1] == data["outcome"]
    regions = [row["territory"] for row in data["turns"] if row["side"] == "blue"]
    assert regions[-1] == data["game"]["blue_territory"]
    for chapter in data["story"][1:]:
        assert chapter["title"] in text
    lost = [event for event in data["events"] if event["kind"] == "lost"]
    assert len(lost) == data["game"]["axis_units_lost"]


def test_play_again_is_the_same_and_another_replication_is_not(duosuan):
    assert duosuan(*GAME).out == duosuan(*GAME).out
    assert duosuan(*GAME[:-1], "2").out.splitlines()[1:] != duosuan(*GAME).out.splitlines()[1:]


def test_play_with_other_settings(duosuan):
    stays = ["--set", "doctrine.blue.retreats=0", "--set", "options.vacated=garrison"]
    data = json.loads(duosuan(*GAME, *stays, "--json").out)
    assert data["settings"] == {"doctrine.blue.retreats": 0, "options.vacated": "garrison"}
    assert not [event for event in data["events"] if event["kind"] == "retreat"]
    assert [event for event in json.loads(duosuan(*GAME, "--json").out)["events"] if event["kind"] == "retreat"]


def test_play_of_a_policy_that_fails_is_told_and_is_1(capsys, tmp_path):
    (tmp_path / "mine.py").write_text(STUCK)
    game = ["play", "barbarossa", "--blue", f"{tmp_path / 'mine.py'}:STUCK", "--red", "easy"]
    assert cli.run(game) == 1
    out = capsys.readouterr().out
    assert "Axis: mine.py:STUCK" in out
    assert out.endswith("Failed in Summer 1941 (S41): bad move by the policy of Axis (value 0).\n")
    assert cli.run([*game, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["game"]["fault"] == "bad_move"
