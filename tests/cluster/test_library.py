"""What there is to play, found by its name."""

import os
import re
from pathlib import Path

import pytest

import sim
from cluster import cli, library
from sim.rules_file import NAME_PATTERN, one_of

MAP = library.configs() / "maps/barbarossa/eastern_front.toml"
SCENARIO = library.configs() / "scenarios/barbarossa/uranus.toml"


def test_a_scenario_may_have_the_name_of_its_map(tmp_path: Path):
    (tmp_path / "eastern_front.toml").write_text(SCENARIO.read_text("utf-8"), "utf-8")
    ref = library.find_scenario("eastern_front.toml", tmp_path)
    assert library.documents(ref).board["regions"]


def test_a_map_beside_the_scenario_goes_before_a_built_in_one(tmp_path: Path):
    (tmp_path / "mine.toml").write_text(SCENARIO.read_text("utf-8"), "utf-8")
    (tmp_path / "eastern_front.toml").write_text(MAP.read_text("utf-8") + "\n[nearby]\n", "utf-8")
    ref = library.find_scenario("mine.toml", tmp_path)
    assert "nearby" in library.documents(ref).board


LONG = "a" * 300


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("map", r'"a\u0000b"', r'map: "a\u0000b" is wrong: it has a control character'),
        ("map", f'"{LONG}"', f"map: there is no map '{LONG}': use eastern_front"),
        ("map", "3", "map: there is no map 3: use eastern_front"),
        ("map", '["x"]', "map: there is no map ['x']: use eastern_front"),
        ("map", '"pipe"', "map: there is no map 'pipe': use eastern_front"),
        ("map", '"folder"', "map: there is no map 'folder': use eastern_front"),
        ("map", '"loop"', "map: there is no map 'loop': use eastern_front"),
        ("map", '"device"', "map: there is no map 'device': use eastern_front"),
        ("rulebook", '["x"]', f"rulebook: ['x'] is wrong: use {one_of(sim.RULEBOOKS)}"),
        ("rulebook", "{ a = 1 }", f"rulebook: {{'a': 1}} is wrong: use {one_of(sim.RULEBOOKS)}"),
        ("name", "3", f"name: 3 is wrong: use a text like {NAME_PATTERN}"),
        ("name", f'"{LONG}"', f"name: '{LONG}' is wrong: use a text like {NAME_PATTERN}"),
        ("name", r'"a\u0000"', r'name: "a\u0000" is wrong: it has a control character'),
        ("aliases", "3", "aliases: 3 is wrong: input should be a valid list"),
        ("aliases", "[3]", "aliases.0: 3 is wrong: input should be a valid string"),
        ("title", "3", "title: 3 is wrong: input should be a valid string"),
    ],
)
def test_what_a_scenario_names_is_refused_in_one_line(tmp_path: Path, capsys, key: str, value: str, message: str):
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    (tmp_path / "device.toml").symlink_to("/dev/zero")
    text = re.sub(rf"^{key} = .*\n", "", SCENARIO.read_text("utf-8"), flags=re.MULTILINE)
    (tmp_path / "mine.toml").write_text(f"{key} = {value}\n{text}", "utf-8")
    assert cli.run(["play", str(tmp_path / "mine.toml"), "--blue", "hold", "--red", "easy"]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f": {message}\n")
    assert said.count("\n") == 1
