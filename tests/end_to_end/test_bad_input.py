"""Bad input at every door: one line that says what is wrong and what would be right, exit code 2, at once."""

import errno
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cluster import cli

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 15.0
"""A refusal takes far less than a second; other processes may be busy, and geometry is compiled once."""
MOST_SIGNS = 700

EXPERIMENT = """
name = "bad"
seed = 7
replications = 2
#top
[policies.mine]
policy = "hold"
#policy
[[play]]
scenarios = ["barbarossa/blue"]
blue = ["mine"]
red = ["easy"]
#play
[play.factors]
#factors
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refused(capsys):
    """Types a command line that is bad input and returns the line that says so."""

    def typed(*words, code=2):
        began = time.monotonic()
        found = cli.run([str(word) for word in words])
        took = time.monotonic() - began
        out, err = capsys.readouterr()
        assert (found, out) == (code, ""), err
        assert re.fullmatch(r"error: [^\n]+\n", err), err
        assert err[:-1].isprintable(), err
        assert len(err) <= MOST_SIGNS, err
        assert took < MOST_SECONDS
        return err.removeprefix("error: ").rstrip()

    return typed


def deep(opening, closing, count=5000):
    return opening * count + closing * count


# What may stand where a value is wanted, as TOML. All of it is refused everywhere below.
NO_VALUE = {
    "nan": "nan",
    "inf": "inf",
    "minus inf": "-inf",
    "date": "1941-06-22",
    "time": "03:15:00",
    "moment": "1941-06-22T03:15:00Z",
    "5,000 digits": "9" * 5000,
    "5,000 hexadecimal digits": "0x" + "f" * 5000,
    "65 bits": str(2**64),
    "minus 64 bits": str(-(2**63) - 1),
    "NUL": '"\\u0000"',
    "escape": '"\\u001b[2J"',
    "5,000 lists": deep("[", "]"),
    "200 lists": deep("[", "]", 200),
    "5,000 tables": "{a=" * 5000 + "1" + "}" * 5000,
    "nothing": "",
    "half a text": '"',
}

PLACES = {
    "name": ('name = "bad"', "name = {}"),
    "seed": ("seed = 7", "seed = {}"),
    "replications": ("replications = 2", "replications = {}"),
    "record": ("#top", "record = {}"),
    "sample": ("#top", 'record = "games"\nsample = {{ level = "turns", every = {} }}'),
    "label": ("#top", "label = {}"),
    "until": ("#top", "until = {}"),
    "until.half_width": ("#top", "until = {{ half_width = {}, at_most = 99 }}"),
    "until.at_most": ("#top", "until = {{ half_width = 0.1, at_most = {} }}"),
    "until.budget": ("#top", "until = {{ half_width = 0.1, budget = {} }}"),
    "until.test.alpha": ("#top", "until = {{ test = {{ p0 = 0.4, p1 = 0.5, alpha = {} }}, at_most = 99 }}"),
    "until.pairs.elo1": ("#top", "until = {{ pairs = {{ elo0 = 0, elo1 = {} }}, at_most = 99 }}"),
    "until.best.within": ("#top", 'until = {{ best = {{ side = "blue", within = {} }}, at_most = 99 }}'),
    "common_random_numbers": ("#top", "common_random_numbers = {}"),
    "night": ("#top", "night = {}"),
    "night.tolerance": ("#top", "night = {{ tolerance = {{ margin = {} }} }}"),
    "night.verify": ("#top", "night = {{ verify = {} }}"),
    "policy": ('policy = "hold"', "policy = {}"),
    "cost": ("#policy", "cost = {}"),
    "doctrine": ("#policy", "doctrine = {}"),
    "doctrine.retreats": ("#policy", "doctrine = {{ retreats = {} }}"),
    "scenarios": ('["barbarossa/blue"]', "[{}]"),
    "blue": ('["mine"]', "[{}]"),
    "red": ('["easy"]', "[{}]"),
    "design": ("#play", "design = {}"),
    "design.points": ("#play", 'design = {{ kind = "sobol", points = {} }}'),
    "design.seed": ("#play", 'design = {{ kind = "sobol", points = 4, seed = {} }}'),
    "design.file": ("#play", 'design = {{ kind = "list", file = {} }}'),
    "design.rows": ("#play", 'design = {{ kind = "list", rows = [{{ "options.five" = {} }}] }}'),
    "factors": ("#factors", "x = {}"),
    "levels": ("#factors", '"options.five" = [{}]'),
    "levels of a doctrine": ("#factors", '"doctrine.blue.retreats" = [{}]'),
    "levels of a scenario": ("#factors", '"scenario.title" = [{}]'),
    "low": ("#factors", '"rules.attack.d3" = {{ low = {}, high = 3, steps = 2 }}'),
    "high": ("#factors", '"rules.attack.d3" = {{ low = 1, high = {}, steps = 2 }}'),
    "steps": ("#factors", '"rules.attack.d3" = {{ low = 1, high = 3, steps = {} }}'),
    "unit": ("#factors", '"rules.attack.d3" = {{ levels = [1], unit = {} }}'),
}


@pytest.mark.parametrize("place", PLACES)
def test_no_value_stands_anywhere_in_an_experiment(refused, place):
    old, new = PLACES[place]
    for what, value in NO_VALUE.items():
        Path("bad.toml").write_text(EXPERIMENT.replace(old, new.format(value)))
        if place == "blue" and what == "NUL":
            assert "control character" in refused("plan", "bad.toml")
        assert refused("plan", "bad.toml").startswith("bad.toml: "), (place, what)


# Values that are possible somewhere, but not there.
WRONG = [
    ("seed = 7", "seed = 1.0", "seed: 1.0 is wrong: input should be a valid integer"),
    ("seed = 7", "seed = true", "seed: true is wrong: input should be a valid integer"),
    ("seed = 7", 'seed = "7"', 'seed: "7" is wrong'),
    ("seed = 7", "seed = -1", "seed: -1 is wrong: input should be greater than or equal to 0"),
    ("seed = 7", f"seed = {'9' * 5000}", "has a number of thousands of digits: use one of 64 bits"),
    ("seed = 7", f"seed = 0x{'f' * 5000}", "seed: a number of 20,000 bits is wrong: use a number of 64 bits"),
    ("seed = 7", "seed = 7\nseed = 8", "is not valid TOML: Cannot overwrite a value"),
    ("replications = 2", "replications = 2_147_483_648", "replications: 2147483648 is wrong: input should be less"),
    ("#top", 'record = "games"\nsample = { level = "turns", every = 9_999_999_999 }', "sample.every: 9999999999 is"),
    ("#top", "until = { half_width = 1e-300, at_most = 9 }", "until.half_width: 1e-300 is wrong"),
    ("#top", "until = { half_width = 0.1, budget = 10_000_000_000_000_000_000 }", "until.budget: 1000000000000000"),
    ("#top", 'label = "a\\nb"', 'label: "a\\nb" is wrong'),
    ("#top", 'label = "a\\u202eb"', 'label: "a\\u202eb" is wrong'),
    ("#top", "a." * 5000 + "b = 1", "has a key of more than 40 parts"),
    ("#top", "a." * 30 + "b = 1", "a: unknown key"),
    ("#top", '"a\\nb" = 1', "a\\nb: unknown key"),
    ("#top", '"a\\u0000b" = 1', "the key 'a\\x00b' is wrong: it has a control character"),
    ("#top", "x = 1\n" + "[[x]]\n" * 9, "is not valid TOML"),
    ("#top", "[[a]]\n" * 5000, "a: unknown key"),
    ("#policy", "cost = inf", "policies.mine.cost: inf is wrong: use a number up to 1e+300"),
    ("#policy", "cost = 1e300", "policies.mine.cost: 1e+300 is wrong: input should be less than or equal to 1000000"),
    ("#policy", "cost = true", "policies.mine.cost: true is wrong"),
    ('["easy"]', '["easy", ""]', "play.0.red: barbarossa has no policy ''"),
    ('["easy"]', f'["{"e" * 300}"]', "play.0.red: barbarossa has no policy 'eeee"),
    ('["easy"]', f'["{"e" * 100_000}"]', "play.0.red: barbarossa has no policy 'eeee"),
    ('["mine"]', f'["{"m" * 300}.py:m"]', ".py: "),
    ('["barbarossa/blue"]', f'["{"b" * 300}"]', "play.0.scenarios: there is no scenario 'bbbb"),
    ('["barbarossa/blue"]', f'["{"b" * 300}.toml"]', ".toml: cannot be read: File name too long"),
    ('["barbarossa/blue"]', '["random_99999999999999999999"]', "there is no scenario 'random_999"),
    ('["barbarossa/blue"]', '["a\\nb.toml"]', "a\\nb.toml: there is no such file"),
    ('["barbarossa/blue"]', '["a\\u202eb.toml"]', "a\\u202eb.toml: there is no such file"),
    ('["barbarossa/blue"]', '["."]', "there is no scenario '.'"),
    ('["barbarossa/blue"]', '["folder.toml"]', "folder.toml: cannot be read: Is a directory"),
    ('["barbarossa/blue"]', '["pipe.toml"]', "pipe.toml: is a pipe or a device: use a regular file"),
    ('["barbarossa/blue"]', '["zero.toml"]', "zero.toml: is a pipe or a device: use a regular file"),
    ('["barbarossa/blue"]', '["loop.toml"]', "loop.toml: cannot be read: Too many levels of symbolic links"),
    ('["barbarossa/blue"]', '["large.toml"]', "large.toml: is too large: use a file of at most 1 MB"),
    ("#factors", "x = { low = 0, high = 1, steps = 3e7 }", "x.steps: 30000000.0 is wrong"),
    ("#factors", "x = { low = 0, high = 1, steps = 30_000_000 }", "x.steps: 30000000 is wrong: input should be less"),
    ("#factors", "x = { low = 0, high = 999_999_999, steps = 100_000 }\ny = [1, 2]", "factors: make more than 100000"),
    ("#factors", '"scenario.title" = { low = 0, high = 999_999_999, steps = 99_999 }', "scenario blue: title: "),
    ("#factors", "".join(f"x{i} = [1, 2]\n" for i in range(20_000)), "factors: make more than 100000 points in a grid"),
    ("#factors", '"rules.attack.d3" = [1e6]', "rules of barbarossa: attack.d3.value: 1000000.0 is wrong"),
    ("#factors", '"rules.attack.d3" = [true]', "rules of barbarossa: attack.d3.value: true is wrong"),
    ("#factors", '"rules.attack.modifier_german.1941" = [1_000_001]', "modifier_german.value.1941: 1000001 is wrong"),
    ("#factors", f'"rules.soviet_attacks.medium.{"9" * 5000}" = [1]', "leads nowhere: there are 0, 1, 2"),
    ("#factors", f'"{"rules." * 39}x" = [1]', "'rules' leads nowhere"),
    ("#factors", '"rules." = [1]', "leads nowhere"),
    ("#factors", '"" = [1]', "leads nowhere"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_wrong_in_an_experiment(refused, number):
    old, new, line = WRONG[number]
    Path("bad.toml").write_text(EXPERIMENT.replace(old, new))
    odd_files()
    assert line in refused("plan", "bad.toml")


def odd_files():
    """Things that are no files to read, under names of files."""
    for ending in ("toml", "csv", "parquet"):
        Path(f"folder.{ending}").mkdir()
        os.mkfifo(f"pipe.{ending}")
        Path(f"zero.{ending}").symlink_to("/dev/zero")
        Path(f"loop.{ending}").symlink_to(f"loop.{ending}")
        Path(f"empty.{ending}").touch()
        with open(f"large.{ending}", "wb") as file:
            file.truncate(100 * 2**20)


NOT_READ = {
    "folder": "cannot be read: Is a directory",
    "pipe": "is a pipe or a device: use a regular file",
    "zero": "is a pipe or a device: use a regular file",
    "loop": "cannot be read: Too many levels of symbolic links",
    "large": "is too large: use a file of at most",
    "nowhere": "there is no such file",
    "empty": "",
    "a" * 300: "cannot be read: File name too long",
}
DOORS = {
    "experiment": ["plan", "{}.toml"],
    "run": ["run", "{}.toml", "--archive", "archive", "--inline"],
    "scenario": ["play", "{}.toml", "--blue", "hold", "--red", "easy"],
    "show": ["show", "{}.toml"],
    "cluster": ["run", "demo", "--archive", "archive", "--cluster", "{}.toml"],
    "policy": ["play", "blue", "--blue", "{}.toml", "--red", "easy"],
}


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_file_is_not_read(refused, door):
    odd_files()
    for name, line in NOT_READ.items():
        if (door, name) != ("cluster", "empty"):  # an empty cluster file says nothing
            said = refused(*(word.format(name) for word in DOORS[door]))
            assert door == "policy" or line in said


ENCODED = {
    "UTF-16": (EXPERIMENT.encode("utf-16"), "is not a text file in UTF-8"),
    "Latin-1": (EXPERIMENT.replace("bad", "schön").encode("latin-1"), "is not a text file in UTF-8"),
    "byte order mark": (EXPERIMENT.encode("utf-8-sig"), "begins with a byte order mark: save it as UTF-8 without"),
    "a surrogate": (b'name = "\xed\xa0\x80"', "is not a text file in UTF-8"),
    "NUL": (b"\0", "is not valid TOML"),
    "binary": (bytes(range(256)), "is not a text file in UTF-8"),
    "Parquet": (b"PAR1" * 9, "is not valid TOML"),
    "JSON": (b'{"name": "bad"}', "is not valid TOML"),
    "empty": (b"", "name: is missing"),
    "old Mac": (EXPERIMENT.replace("\n", "\r").encode(), "is not valid TOML"),
}


@pytest.mark.parametrize("what", ENCODED)
def test_encodings(refused, what):
    content, line = ENCODED[what]
    Path("bad.toml").write_bytes(content)
    assert line in refused("plan", "bad.toml")


def test_lines_that_end_as_on_windows(capsys):
    Path("bad.toml").write_bytes(EXPERIMENT.replace("\n", "\r\n").encode())
    assert cli.run(["plan", "bad.toml"]) == 0, capsys.readouterr().err


# Lists of points

CSV = {
    "date": ("rules.attack.d3\n1941-06-22\n", "is wrong: use a text, a number, true or false"),
    "time": ("rules.attack.d3\n03:15:00\n", "is wrong: use a text, a number, true or false"),
    "moment": ("rules.attack.d3\n1941-06-22 03:15:00\n", "is wrong: use a text, a number, true or false"),
    "inf": ("rules.attack.d3\ninf\n", "point 0: rules.attack.d3: inf is wrong: use a number up to 1e+300"),
    "nan": ("rules.attack.d3\n2\nnan\n", "point 1"),
    "no value": ("rules.attack.d3,options.five\n2,\n", ""),
    "one value": ("rules.attack.d3,options.five\n2\n", "cannot be read"),
    "5,000 digits": (f"rules.attack.d3\n{'9' * 5000}\n", "is wrong"),
    "half": ("rules.attack.d3\n2.5\n", "2.5 is wrong"),
    "twice": ("rules.attack.d3,rules.attack.d3\n2,2\n", "has the column 'rules.attack.d3' twice"),
    "no points": ("rules.attack.d3\n", "has no points"),
    "empty": ("", "cannot be read"),
    "blank": ("\n\n\n", ""),
    "NUL": ("options.five\n\0\n", "control character"),
    "NUL in a name": ("options\0.five\n1\n", "leads nowhere"),
    "escape in a name": ("\x1b[2Joptions.five\n1\n", "leads nowhere"),
    "semicolons": ("rules.attack.d3;options.five\n2;reroll\n", "leads nowhere"),
    "wide": (",".join(f"x{i}" for i in range(1001)) + "\n", "has 1,001 columns: use at most 1,000"),
    "long": ("rules.attack.d3\n" + "1\n" * 100_001, "has 100,001 points: use at most 100,000"),
    "brackets": (f"rules.attack.d3\n{deep('[', ']')}\n", "is wrong"),
    "quote": ('rules.attack.d3\n"', ""),
}
LISTED = EXPERIMENT.replace("#play", 'design = {{ kind = "list", file = "{}" }}').partition("[play.factors]")[0]


@pytest.mark.parametrize("what", CSV)
def test_points_in_csv(refused, what):
    content, line = CSV[what]
    Path("points.csv").write_text(content)
    Path("bad.toml").write_text(LISTED.format("points.csv"))
    assert line in refused("plan", "bad.toml")


@pytest.mark.parametrize("what", ["utf-16", "latin-1"])
def test_points_in_other_encodings(refused, what):
    Path("points.csv").write_bytes("rules.attack.d3,ä\n2,2\n".encode(what))
    Path("bad.toml").write_text(LISTED.format("points.csv"))
    assert "is not a text file in UTF-8" in refused("plan", "bad.toml")


PARQUET = {
    "bytes": pa.table({"options.five": [b"reroll"]}),
    "list": pa.table({"options.five": [["reroll"]]}),
    "struct": pa.table({"options.five": [{"a": 1}]}),
    "null": pa.table({"options.five": ["reroll", None]}),
    "nothing": pa.table({}),
    "decimal": pa.table({"rules.attack.d3": pa.array([2], pa.decimal128(5, 2))}),
    "inf": pa.table({"rules.attack.d3": [float("-inf")]}),
    "duration": pa.table({"rules.attack.d3": pa.array([2], pa.duration("s"))}),
    "long": pa.table({"rules.attack.d3": pa.array([1] * 100_001)}),
    "very large": pa.table({"options.five": ["x" * 2**21]}),
}


@pytest.mark.parametrize("what", PARQUET)
def test_points_in_parquet(refused, monkeypatch, what):
    monkeypatch.setattr("cluster.design.MOST_UNPACKED_BYTES", 2**20)
    pq.write_table(PARQUET[what], "points.parquet", compression="zstd", use_dictionary=False, write_statistics=False)
    Path("bad.toml").write_text(LISTED.format("points.parquet"))
    assert refused("plan", "bad.toml").startswith("bad.toml: play.0: ")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_lists_that_are_no_files(refused, ending):
    odd_files()
    for name, line in NOT_READ.items():
        Path("bad.toml").write_text(LISTED.format(f"{name}.{ending}"))
        assert line in refused("plan", "bad.toml")
    for content in (b"PAR1", b"PAR1" * 99, b"\xff" * 99):
        Path(f"wrong.{ending}").write_bytes(content)
        Path("bad.toml").write_text(LISTED.format(f"wrong.{ending}"))
        refused("plan", "bad.toml")


# Scenarios of a user's own

SCENARIO = """
name = "mine"
rulebook = "barbarossa"
title = "Mine"
map = "eastern_front"
#more
"""
OWN = [
    ("", "scenario mine: sides: is missing"),
    ("sides = 3", "scenario mine: sides: 3 is wrong"),
    ("aliases = 3", "scenario mine: aliases: 3 is wrong"),
    ("aliases = [[]]", "scenario mine: aliases.0: [] is wrong"),
    ('map = "\\u0000"', "is not valid TOML: Cannot overwrite a value"),
]


@pytest.mark.parametrize("number", range(len(OWN)))
@pytest.mark.parametrize("door", ["show", "scenario"])
def test_scenarios(refused, number, door):
    more, line = OWN[number]
    Path("mine.toml").write_text(SCENARIO.replace("#more", more))
    assert line in refused(*(word.format("mine") for word in DOORS[door]))


@pytest.mark.parametrize("name", ["", ".", "..", "m" * 300, "a/b", "a\\nb", "eastern_front.toml"])
def test_maps(refused, name):
    Path("mine.toml").write_text(SCENARIO.replace("eastern_front", name))
    assert "mine.toml: map: there is no map " in refused("show", "mine.toml")


@pytest.mark.parametrize("given", ["3", "[]", "{}", '"tank"', "nan", "true"])
def test_rulebooks(refused, given):
    Path("mine.toml").write_text(SCENARIO.replace('"barbarossa"', given))
    assert "mine.toml: rulebook: " in refused("show", "mine.toml")


# Command lines

GAME = ["play", "blue", "--blue", "hold", "--red", "easy"]
SETTINGS = [
    ("options.five=nan", "--set options.five: nan is wrong: use a number up to 1e+300"),
    ("options.five=inf", "is wrong"),
    ("options.five=1941-06-22", "--set options.five: 1941-06-22 is wrong: use a text, a number, true or false"),
    ("options.five=03:15:00", "is wrong"),
    (f"options.five={'9' * 5000}", "--set options.five: has a number of thousands of digits"),
    (f"options.five=0x{'f' * 5000}", "a number of 20,000 bits is wrong"),
    (f"options.five={deep('[', ']')}", "is not allowed"),
    (f"options.five={deep('[', ']', 100)}", "has lists or tables more than 40 deep"),
    ("options.five=1\nvalue2 = 3", "is more than one value"),
    ("options.five=\x1b[2J", "control character"),
    ("doctrine.blue.retreats=nan", "is wrong"),
    (f"doctrine.blue.retreats={10**18}", "takes a whole number from 0 to 1"),
    ("doctrine.blue.retreats={a=1}", "takes a whole number from 0 to 1"),
    ("scenario.units={}", "scenario blue"),
    ("scenario.name=a b", ""),
    ("map.regions={}", "map "),
    ("rules.attack.d3=1000000000000", "attack.d3"),
    ("=1", "is no setting"),
    ("", "is no setting"),
    ("a" * 100_000, "is no setting"),
    (f"{'a.' * 50_000}=1", "leads nowhere"),
]


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_settings(refused, number):
    text, line = SETTINGS[number]
    assert line in refused(*GAME, "--set", text)


WORDS = [
    ([*GAME, "--seed", "-1"], "invalid value for '--seed'"),
    ([*GAME, "--seed", "1.5"], "invalid value for '--seed'"),
    ([*GAME, "--seed", str(2**64)], "invalid value for '--seed'"),
    ([*GAME, "--seed", "9" * 5000], "invalid value for '--seed'"),
    ([*GAME, "--seed", "nan"], "invalid value for '--seed'"),
    ([*GAME, "--seed", ""], "invalid value for '--seed'"),
    ([*GAME, "--replication", "1e9"], "invalid value for '--replication'"),
    ([*GAME, "--replication", str(2**31)], "invalid value for '--replication'"),
    (["play", "", "--blue", "hold", "--red", "easy"], "there is no scenario ''"),
    (["play", "blue", "--blue", "", "--red", "easy"], "no policy ''"),
    (["play", "b" * 100_000, "--blue", "hold", "--red", "easy"], "there is no scenario 'bbb"),
    (["play", "a\nb", "--blue", "hold", "--red", "easy"], "there is no scenario 'a\\nb'"),
    (["play", "\udcff", "--blue", "hold", "--red", "easy"], "the argument '\\udcff' is no text in UTF-8"),
    (["play", "a\0b", "--blue", "hold", "--red", "easy"], "the argument 'a\\x00b' is no text in UTF-8"),
    (["play", "\u202eblue", "--blue", "hold", "--red", "easy"], "there is no scenario '\\u202eblue'"),
    ([*GAME, "--\x1b[2J"], "no such option: --\\x1b[2J"),
    (["a\nb\x07"], "no such command"),
    (["plan", ""], "cannot be read: Is a directory"),
    (["plan", "d" * 300], "there is no such file and no built-in experiment"),
    (["plan", "demo", "--limit-gb", "nan"], "invalid value for '--limit-gb'"),
    (["plan", "demo", "--limit-gb", "inf"], "invalid value for '--limit-gb': inf is no finite number"),
    (["plan", "demo", "--limit-gb", "-1"], "invalid value for '--limit-gb'"),
    (["run", "demo", "--archive", ""], "the archive's name: is empty: use a folder or s3://bucket/prefix"),
    (["run", "demo", "--inline", "--workers", "0"], "invalid value for '--workers'"),
    (["run", "demo", "--inline", "--workers", "9" * 30], "invalid value for '--workers'"),
    (["run", "demo", "--inline", "--game-limit", "nan"], "invalid value for '--game-limit'"),
    (["run", "demo", "--cluster", "c" * 300], "there is no such file and no built-in cluster"),
    (["run", "demo", "--cluster", ""], ""),
    (["resume", ""], "is empty"),
    (["resume", "r" * 300], "File name too long"),
    (["status", ""], "is empty"),
    (["status", "s" * 300], "File name too long"),
    (["verify", "{archive}", "--sample", "9" * 30], "invalid value for '--sample'"),
    (["list", "experiments", ""], "is empty"),
    (["list", "experiments", "e" * 300], "File name too long"),
    (["show", ""], "there is no scenario, policy, question or map ''"),
    (["show", "s" * 100_000], "there is no scenario, policy, question or map 'sss"),
    (["show", "blue", "--svg", ""], ""),
    (["show", "blue", "--svg", "s" * 300], "cannot be written: File name too long"),
    (["show", "blue", "--svg", "."], "cannot be written: Is a directory"),
    *(
        ([command, "{archive}", *words], line)
        for command, *more in (("replay",), ("fork", "--turn", "3"), ("turning-points",))
        for words, line in (
            ([*more, "--cell", "-1"], "invalid value for '--cell'"),
            ([*more, "--cell", "99"], "--cell: 99 is wrong: the experiment has cells 0 to 1"),
            ([*more, "--cell", "9" * 30], "invalid value for '--cell'"),
            ([*more, "--replication", "1e9"], "invalid value for '--replication'"),
            ([*more, "--replication", "1000000000"], "--replication: 1000000000 is wrong: the experiment has"),
        )
    ),
    (["replay", "{archive}", "--turn", "99999"], "--turn: 99999 is wrong: the game has turns"),
    (["replay", "{archive}", "--turn", "9" * 30], "--turn"),
    (["replay", "{archive}", "--html", "h" * 300], "cannot be written: File name too long"),
    (["replay", "{archive}", "--html", ""], ""),
    (["fork", "{archive}", "--turn", "99999"], "--turn: 99999 is wrong: the game has turns"),
    (["fork", "{archive}", "--turn", "-5"], "--turn: -5 is wrong"),
    (["fork", "{archive}", "--turn", "9" * 30], "--turn"),
    (["fork", "{archive}", "--turn", "3", "--games", "0"], "invalid value for '--games'"),
    (["fork", "{archive}", "--turn", "3", "--set", "x=1"], "leads nowhere"),
    (["fork", "{archive}", "--turn", "3", "--set", "rules.attack.d3=nan"], "nan is wrong"),
    (["turning-points", "{archive}", "--games", "1e3"], "invalid value for '--games'"),
    (["replay", ""], "is empty"),
    (["fork", "", "--turn", "1"], "is empty"),
    (["turning-points", "/dev/null"], "there is no such folder"),
]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An archive of a small experiment that has been played."""
    folder = tmp_path_factory.mktemp("played")
    file = folder / "small.toml"
    file.write_text(
        'name = "small"\nseed = 1\nreplications = 2\nrecord = "games"\n'
        '[[play]]\nscenarios = ["blue"]\nblue = ["hold"]\nred = ["easy", "medium"]\n'
    )
    assert cli.run(["run", str(file), "--archive", str(folder / "archive"), "--inline"]) == 0
    return folder / "archive"


@pytest.mark.parametrize("number", range(len(WORDS)))
def test_words(refused, played, number, capsys):
    words, line = WORDS[number]
    capsys.readouterr()
    assert line in refused(*(word.format(archive=played) for word in words))


def test_the_last_of_an_option_that_is_given_twice_counts(capsys):
    assert cli.run(["plan", "demo", "--limit-gb", "0", "--limit-gb", "9", "--json", "--json"]) == 0


# What cannot be written


def in_a_shell(command, **environment):
    """A command line of a shell, with the command as `duosuan`."""
    done = subprocess.run(
        ["bash", "-c", command.replace("duosuan", f"{sys.executable} -m cluster")],
        cwd=ROOT, capture_output=True, text=True, timeout=60, env={**os.environ, **environment},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("streams", "code", "says"),
    [
        (">/dev/full", 1, "error: the answer cannot be written: No space left on device\n"),
        (">&-", 1, "error: the answer cannot be written: stdout is closed\n"),
        ("1</dev/null", 1, "error: the answer cannot be written: Bad file descriptor\n"),
        (">/dev/null", 0, ""),
        ("<&- >/dev/null", 0, ""),
        (">/dev/null 2>&-", 0, ""),
        (">/dev/full 2>/dev/full", 1, ""),
    ],
)
def test_an_answer_that_cannot_be_written(streams, code, says):
    assert in_a_shell(f"duosuan list questions {streams}") == (code, "", says)


@pytest.mark.parametrize("streams", ["2>&-", "2>/dev/full"])
def test_a_refusal_that_cannot_be_written(streams):
    assert in_a_shell(f"duosuan lst {streams}") == (2, "", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_signs_that_an_encoding_lacks_are_replaced(encoding, played):
    code, out, err = in_a_shell(f"duosuan query win_rates {played}; duosuan show $'\\u4e00'", PYTHONIOENCODING=encoding)
    assert code == 2
    assert ("----" if encoding != "utf-8" else "────") in out
    assert ("'\\u4e00'" if encoding != "utf-8" else "'一'") in err


def test_json_stays_json_in_ascii():
    code, out, _ = in_a_shell("duosuan show map prokhorovka --json", PYTHONIOENCODING="ascii")
    assert code == 0
    assert out.isascii()
    assert json.loads(out)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("libarrow.so: failed to map segment from shared object"),
    ],
)
def test_too_little_memory_is_no_bug(refused, monkeypatch, error):
    def lacks(*_):
        raise error

    monkeypatch.setattr("cluster.status.show_plan", lacks)
    assert refused("plan", "demo", code=1).startswith("there is not enough memory: ")
