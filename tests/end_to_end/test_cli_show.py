"""`list` and `show`: what there is."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.end_to_end.conftest import STUCK

ROOT = Path(__file__).parents[2]
QUESTIONS = sorted(path.stem for path in (ROOT / "queries").glob("*.sql"))


def test_list_scenarios(duosuan):
    assert "bagration" in duosuan("list", "scenarios").out
    rows = json.loads(duosuan("list", "scenarios", "--json").out)
    assert {"scenario": "barbarossa/blue", "also called": "bagration", "title": "Case Blue"} in rows


def test_list_policies(duosuan):
    assert "never moves or attacks" in duosuan("list", "policies").out
    rows = json.loads(duosuan("list", "policies", "--json").out)
    assert {(row["side"], row["policy"]) for row in rows} >= {("blue", "hold"), ("red", "easy"), ("red", "difficult")}


def test_list_questions(duosuan):
    rows = json.loads(duosuan("list", "questions", "--json").out)
    assert [row["question"] for row in rows] == QUESTIONS


def test_list_experiments(duosuan, archive):
    typed = duosuan("list", "experiments", archive)
    assert "demo-00000001" in typed.out
    assert typed.err == "note: demo-00000001: 3 of 4 games are there so far\n"
    (row,) = json.loads(duosuan("list", "experiments", archive, "--json").out)
    assert (row["games"], row["games_planned"], row["complete"]) == (3, 4, False)


@pytest.mark.parametrize(
    "name", ["blue", "bagration", "barbarossa/blue", ROOT / "configs/scenarios/barbarossa/blue.toml"]
)
def test_show_scenario(duosuan, name):
    text = duosuan("show", name).out
    assert "barbarossa/blue (scenario): Case Blue, also called bagration" in text
    assert "Kharkov: 6th Army (german), 17th Army (german)" in text


def test_show_policy(duosuan):
    text = duosuan("show", "hold").out
    assert "retreats = 1 (whole, 0 to 1): whether stacks retreat" in text
    (found,) = json.loads(duosuan("show", "barbarossa/hold", "--json").out)
    assert found["doctrine"][0]["name"] == "retreats"


def test_show_policy_of_either_side_once(duosuan):
    (found,) = json.loads(duosuan("show", "first_contact/hold", "--json").out)
    assert found["plays"] == "first_contact, either side"


def test_show_policy_of_a_file(duosuan, tmp_path):
    (tmp_path / "mine.py").write_text(STUCK)
    text = duosuan("show", f"{tmp_path / 'mine.py'}:STUCK").out
    assert "mine.py:STUCK (policy of blue): never moves or attacks" in text
    assert "retreats = 1 (whole, 0 to 1)" in text


@pytest.mark.parametrize("name", QUESTIONS)
def test_show_question(duosuan, name):
    text = duosuan("show", name).out
    assert f"{name} (question): " in text
    (found,) = json.loads(duosuan("show", name, "--json").out)
    assert found["kind"] == "question"
    assert found["columns"]


def test_show_map(duosuan):
    text = duosuan("show", "eastern_front").out
    assert "9 of 32 regions Axis; the map is reconstructed" in text
    assert "Kiev: Warsaw, Slovakia, Minsk, Kursk, Kharkov, Odessa" in text


def test_show_by_kind(duosuan):
    for kind, name in (
        ("scenario", "barbarossa"),
        ("map", "eastern_front"),
        ("policy", "hold"),
        ("question", "morale"),
    ):
        found = json.loads(duosuan("show", kind, name, "--json").out)
        assert {it["kind"] for it in found} == {kind}
        assert found == json.loads(duosuan("show", name, "--json").out)


def test_show_draws_a_map(duosuan, tmp_path):
    typed = duosuan("show", "uranus", "--svg", tmp_path / "map.svg")
    assert typed.err == f"drawn into {tmp_path / 'map.svg'}\n"
    assert ElementTree.parse(tmp_path / "map.svg").getroot().tag.endswith("svg")
