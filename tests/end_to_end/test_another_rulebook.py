"""A rulebook in an afternoon: with a copy of Brandubh under another name and one line, all commands work."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME, CLAUSES = "ravens", "RV"
REPLACED = (("brandubh", NAME), ("Brandubh", "Ravens"), ("BR-", f"{CLAUSES}-"))

EXPERIMENT = f"""
name = "copied"
seed = 5
replications = 40

[[play]]
scenarios = ["{NAME}/cross"]
red = ["random", "greedy"]
blue = ["*"]

[play.factors]
"options.king_armed" = [true, false]
"""


def copied(text):
    for old, new in REPLACED:
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A checkout in which the copy of the rulebook is all that is new, and its line in ``sim/__init__.py``."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in ("sim", "cluster", "queries", "configs"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for parent in ("sim", "configs/scenarios", "configs/maps"):
        shutil.copytree(root / parent / "brandubh", root / parent / NAME)
        for file in (root / parent / NAME).rglob("*.*"):
            file.write_text(copied(file.read_text(encoding="utf-8")), encoding="utf-8")
    start = root / "sim/__init__.py"
    line = '    "brandubh": "sim.brandubh.rulebook",\n'
    text = start.read_text(encoding="utf-8")
    assert line in text
    start.write_text(text.replace(line, line + copied(line)), encoding="utf-8")
    (root / "copied.toml").write_text(EXPERIMENT)
    return root


@pytest.fixture(scope="module")
def duosuan(checkout):
    def typed(*words):
        done = subprocess.run(
            [sys.executable, "-m", "cluster", *map(str, words)], cwd=checkout, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": str(checkout), "DUOSUAN_CACHE_DIR": str(checkout / "cache")},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return typed


@pytest.fixture(scope="module")
def archive(duosuan, checkout):
    duosuan("run", "copied.toml", "--archive", "archive", "--inline")
    return checkout / "archive"


def test_it_is_listed_shown_and_told(duosuan):
    assert f"{NAME}/cross" in duosuan("list", "scenarios")
    shown = duosuan("show", f"{NAME}/cross")
    assert "d4: King" in shown
    assert "\nA3 A4 D2 K  D3 A5 A6\n" in shown
    told = duosuan("play", f"{NAME}/cross", "--red", "greedy", "--blue", "greedy")
    assert "Turn 1\n" in told
    assert re.search(r"move: Attacker \d from [a-g][1-7] to [a-g][1-7]", told)


def test_its_games_are_verified(duosuan, archive):
    """All of them are played again."""
    assert "320 games checked, 320 of them played again" in duosuan("verify", archive, "--all")


def test_every_general_question_answers(duosuan, archive):
    for question in ("win_rates", "outcomes", "casualties", "territory_by_turn", "region_holders", "first_parting"):
        rows = json.loads(duosuan("query", question, archive, "--format", "json"))
        assert {row["scenario"] for row in rows} == {f"{NAME}/cross"}, question
    losses = json.loads(duosuan("query", "casualties", archive, "--format", "json", "--param", "turn=60"))
    assert {(row["side"], row["kind"]) for row in losses} == {
        ("red", "all"), ("blue", "all"), ("red", "attacker"), ("blue", "defender"), ("blue", "king"),
    }  # fmt: skip


def test_it_is_reported(duosuan, archive, checkout):
    duosuan("report", archive, "--out", "report.html")
    page = (checkout / "report.html").read_text(encoding="utf-8")
    assert f"{NAME}/cross" in page
    assert 'class="map"' in page
    assert "Ratings: ravens" in page


def test_its_games_are_replayed_and_gone_on_with(duosuan, archive, checkout):
    game = ("--cell", 3, "--replication", 7)
    assert "Turn 1" in duosuan("replay", archive, *game)
    duosuan("replay", archive, *game, "--html", "game.html")
    page = (checkout / "game.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)[1])
    assert [place["name"] for place in data["places"]][:2] == ["a7", "b7"]
    assert len(data["turns"][0]["stands"]) == 13
    assert any(event[0] == "move" for event in data["turns"][1]["events"])
    told = duosuan("fork", archive, *game, "--turn", 1, "--games", 50)
    assert "50 forks after Turn 1" in told
