"""Experiment files that are wrong: one line that says what and what would be right, and nothing is written."""

from pathlib import Path

import pytest

from cluster import experiment
from cluster.dispatch import Options
from cluster.run import run
from sim.rules_file import BadInput

GOOD = """
name = "test"
seed = 7
replications = 10

[policies.mine]
policy = "hold"
doctrine = { retreats = 0 }

[[play]]
scenarios = ["barbarossa/blue"]
blue = ["mine"]
red = ["easy"]
design = "grid"
[play.factors]
"options.five" = ["reroll", "two_attacks"]
"""

BAD = {
    # what: (old, new, the line after the file's name)
    "broken TOML": ('name = "test"', "name = ", "is not valid TOML: "),
    "no name": ('name = "test"', "", "name: is missing"),
    "bad name": ('"test"', '"Test 1"', 'name: "Test 1" is wrong: '),
    "no seed": ("seed = 7", "", "seed: is missing"),
    "negative seed": ("seed = 7", "seed = -1", "seed: -1 is wrong: "),
    "no replications": ("replications = 10", "replications = 0", "replications: 0 is wrong: "),
    "negative replications": ("replications = 10", "replications = -5", "replications: -5 is wrong: "),
    "too many replications": (
        "replications = 10",
        "replications = 3_000_000_000",
        "replications: 3000000000 is wrong: ",
    ),
    "replications as text": ("replications = 10", 'replications = "10"', 'replications: "10" is wrong: '),
    "unknown key": ("seed = 7", "seed = 7\nreplication = 5", "replication: unknown key; allowed: "),
    "nearest key": ("seed = 7", "seed = 7\nreplication = 5", "(did you mean replications?)"),
    "unknown key of a play": ("blue =", 'green = ["x"]\nblue =', "play.0.green: unknown key; allowed: scenarios, "),
    "unknown key of a sample": (
        "seed = 7",
        'seed = 7\nrecord = "games"\nsample = { levl = "turns", every = 10 }',
        "sample.levl: unknown key; allowed: level or every (did you mean level?)",
    ),
    "unknown key of until": (
        "seed = 7",
        "seed = 7\nuntil = { half_widt = 0.1, at_most = 99 }",
        "until.half_widt: unknown key; allowed: measure, half_width, ",
    ),
    "nearest key of until": (
        "seed = 7",
        "seed = 7\nuntil = { half_widt = 0.1, at_most = 99 }",
        "(did you mean half_width?)",
    ),
    "unknown key of a test": (
        "seed = 7",
        "seed = 7\nuntil = { test = { p0 = 0.4, p1 = 0.5, alfa = 0.1 }, at_most = 99 }",
        "until.test.alfa: unknown key; allowed: p0, p1, alpha, beta or over_all (did you mean alpha?)",
    ),
    "unknown level": ("seed = 7", 'seed = 7\nrecord = "all"', "record: \"all\" is wrong: input should be 'games', "),
    "useless sample": (
        "seed = 7",
        'seed = 7\nsample = { level = "turns", every = 10 }',
        'sample.level: "turns" is no more than record = "events"',
    ),
    "sample of nothing": (
        "seed = 7",
        'seed = 7\nrecord = "games"\nsample = { level = "turns", every = 0 }',
        "sample.every: 0 is wrong: ",
    ),
    "rounds without an end": ("seed = 7", "seed = 7\nuntil = { half_width = 0.1 }", "until: needs at_most (games of a"),
    "rounds for nothing": (
        "seed = 7",
        "seed = 7\nuntil = { at_most = 99 }",
        "until: needs just one of half_width, test",
    ),
    "rounds for two things": (
        "seed = 7",
        'seed = 7\nuntil = { half_width = 0.1, best = { side = "blue" }, at_most = 99 }',
        "until: needs just one of half_width, test, pairs, best",
    ),
    "fewer games than there are": (
        "seed = 7",
        "seed = 7\nuntil = { half_width = 0.1, at_most = 9 }",
        "until.at_most: 9 is less than replications = 10",
    ),
    "a test that asks nothing": (
        "seed = 7",
        "seed = 7\nuntil = { test = { p0 = 0.5, p1 = 0.5 }, at_most = 99 }",
        "until.test: p0 = 0.5 is not below p1 = 0.5",
    ),
    "a test of no share": (
        "seed = 7",
        'seed = 7\nuntil = { measure = "margin", test = { p0 = 0.5, p1 = 0.6 }, at_most = 99 }',
        "until: measure: test takes a share: win_rate or payoff",
    ),
    "pairs the wrong way round": (
        "seed = 7",
        "seed = 7\nuntil = { pairs = { elo0 = 5, elo1 = 0 }, at_most = 99 }",
        "until.pairs: elo0 = 5 is not below elo1 = 0",
    ),
    "pairs far apart": (
        "seed = 7",
        "seed = 7\nuntil = { pairs = { elo0 = 0, elo1 = 500 }, at_most = 99 }",
        "until.pairs.elo1: 500 is wrong: ",
    ),
    "unknown measure": (
        "seed = 7",
        'seed = 7\nuntil = { measure = "luck", half_width = 1, at_most = 99 }',
        "until.measure: \"luck\" is wrong: input should be 'win_rate', ",
    ),
    "bad label": ("seed = 7", 'seed = 7\nlabel = "a/b"', 'label: "a/b" is wrong: '),
    "no play": (GOOD[GOOD.index("[[play]]") :], "", "play: is missing"),
    "no scenario": ('["barbarossa/blue"]', "[]", "play.0.scenarios: [] is wrong: "),
    "no policy": ('red = ["easy"]', "red = []", "play.0.red: [] is wrong: "),
    "unknown scenario": (
        "barbarossa/blue",
        "barbarossa/blau",
        "play.0.scenarios: there is no scenario 'barbarossa/blau': use barbarossa/barbarossa, ",
    ),
    "nearest scenario": ("barbarossa/blue", "barbarossa/blu", "(did you mean barbarossa/blue?)"),
    "unknown rulebook": ("barbarossa/blue", "barbarosa/*", "play.0.scenarios: there is no rulebook 'barbarosa': use "),
    "unknown scenario file": ("barbarossa/blue", "mine.toml", "mine.toml: there is no such file"),
    "unknown policy": ('"easy"', '"eazy"', "play.0.red: barbarossa has no policy 'eazy' for red: use difficult, "),
    "nearest policy": ('"easy"', '"eazy"', "(did you mean easy?)"),
    "policy of the other side": ('"easy"', '"hold"', "play.0.red: barbarossa has no policy 'hold' for red: use "),
    "unknown policy file": ('"easy"', '"mine.py:mine"', "mine.py: there is no such policy file"),
    "unknown policy of a doctrine": (
        'policy = "hold"',
        'policy = "hodl"',
        "policies.mine: barbarossa has no policy 'hodl' for blue: use ",
    ),
    "unknown doctrine field": (
        "retreats = 0",
        "retreat = 0",
        "policies.mine: retreat: policy hold has no such doctrine field: use retreats (did you mean retreats?)",
    ),
    "doctrine that is not whole": (
        "retreats = 0",
        "retreats = 0.5",
        "policies.mine: retreats: 0.5 is wrong: policy hold takes a whole number from 0 to 1",
    ),
    "doctrine out of range": (
        "retreats = 0",
        "retreats = 2",
        "policies.mine: retreats: 2.0 is wrong: policy hold takes a whole number from 0 to 1",
    ),
    "doctrine as text": ("retreats = 0", 'retreats = "no"', 'policies.mine.doctrine.retreats: "no" is wrong: '),
    "free policy": ('policy = "hold"', 'policy = "hold"\ncost = 0', "policies.mine.cost: 0 is wrong: "),
    "name of a policy that is there": (
        "mine",
        "hold",
        "policies.hold: barbarossa has a policy of that name: choose another",
    ),
    "unknown design": (
        '"grid"',
        '"gird"',
        "play.0.design: 'gird' is wrong: use grid, one_at_a_time, ",
    ),
    "factor without levels": ('["reroll", "two_attacks"]', "[]", "play.0.factors.options.five.levels: [] is wrong: "),
    "level twice": ('"two_attacks"', '"reroll"', "play.0.factors.options.five: a level is there twice"),
    "level of no option": (
        '"two_attacks"',
        '"three"',
        "play.0.factors: rules of barbarossa: options.five: 'three' is not allowed: use ",
    ),
    "level of the wrong type": ('"two_attacks"', "true", "play.0.factors: rules of barbarossa: options.five: "),
    "unknown option": ("options.five", "options.fife", "play.0.factors: rules: options.fife: 'fife' leads nowhere: "),
    "nearest option": ("options.five", "options.fife", "(did you mean five?)"),
    "unknown root": ("options.five", "option.five", "play.0.factors: option.five: leads nowhere: a path starts with "),
    "path without end": ("options.five", "rules.attack", "play.0.factors: rules of barbarossa: attack"),
    "unknown side": (
        "options.five",
        "doctrine.green.x",
        "play.0.factors.doctrine.green.x: leads nowhere: use doctrine.red. ",
    ),
    "no side": ("options.five", "doctrine", "play.0.factors: doctrine: leads nowhere: a path starts with "),
    "factor of no doctrine": (
        '"options.five" = ["reroll", "two_attacks"]',
        '"doctrine.blue.nerve" = [1, 2]',
        "play.0.factors: nerve: policy hold has no such doctrine field: use retreats",
    ),
    "cell twice": (
        '"two_attacks"]',
        """"two_attacks"]
        [[play]]
        scenarios = ["blue"]
        red = ["easy"]
        blue = ["mine"]
        factors = { "options.five" = ["two_attacks"] }""",
        "play.1: asks again for a cell that is there already: barbarossa/blue, blue mine, red easy {'options.five': ",
    ),
    "too many cells": (
        '"options.five" = ["reroll", "two_attacks"]',
        "\n".join(f'"rules.x{i}" = [{", ".join(map(str, range(20)))}]' for i in range(4)),
        "play.0: factors: make more than 100000 points in a grid design",
    ),
    "too many bytes": (
        "replications = 10",
        "replications = 100_000_000",
        'GB, more than 1 GB: record = "games" takes ',
    ),
}


def test_the_good_one_is_good(tmp_path: Path) -> None:
    file = tmp_path / "test.toml"
    file.write_text(GOOD)
    assert experiment.read(str(file)).experiment.policies["mine"].doctrine == {"retreats": 0}


@pytest.mark.parametrize("what", BAD)
def test_bad_files(tmp_path: Path, what: str) -> None:
    old, new, line = BAD[what]
    assert old in GOOD
    file = tmp_path / "test.toml"
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(BadInput) as caught:
        run(str(file), tmp_path / "archive", Options(inline=True), limit_gb=1)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    assert line in said, said
    assert "\n" not in said
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("nowhere.toml", "nowhere.toml: there is no such file"),
        ("demmo", "there is no such file and no built-in experiment 'demmo': use "),
        (".", "cannot be read: Is a directory"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as caught:
        run(name, tmp_path / "archive", Options(inline=True), limit_gb=1)
    assert line in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "test.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="is not a text file in UTF-8"):
        experiment.read(str(file))


def test_two_things_of_one_name(tmp_path: Path) -> None:
    for folder, note in (("a", ""), ("b", "# another\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(
            f"{note}from sim.barbarossa.policies.hold import POLICY as HOLD\nmine = HOLD\n"
        )
    file = tmp_path / "test.toml"
    file.write_text(GOOD.replace('["mine"]', '["a/mine.py:mine", "b/mine.py:mine"]'))
    with pytest.raises(BadInput, match=r"play\.0\.blue: two different things are called 'mine\.py:mine'"):
        run(str(file), tmp_path / "archive", Options(inline=True), limit_gb=1)
