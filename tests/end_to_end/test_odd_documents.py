"""Documents in which anything may be anything: they are taken, or refused in one line, and at once."""

import copy
import datetime
import json
import math
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest

import sim
from cluster import clusters, library
from cluster.experiment import read
from cluster.library import DoctrineFile
from cluster.planner import make_plan
from sim.game import bytes_a_game
from sim.rules_file import BadInput, check, read_toml

MOST_SECONDS = 10.0
"""What is taken or refused takes far less than a second; other processes may be busy."""
MOST_SIGNS = 700
SOME, MANY = 40, 400
"""Mutations of each kind of document that are tried, chosen by lot."""

DELETED, TWICE, TURNED, LONG, MORE = (object() for _ in range(5))
ODD = [
    DELETED, TWICE, TURNED, LONG, MORE,
    "", "a", "A b", "é\u0301\u202e\n", "\0", "x" * 10_000, "9" * 5_000, "../x", "*",
    0, 1, -1, 2, 7, 50, 101, 1_000, 999_999, 1_000_001, 2**31, 2**63, 2**64 - 1, 2**64, -(2**63), 10**30,
    0.5, 1.0, -0.5, 5e-324, 1e17, 1e300, 1e308, math.nan, math.inf, -math.inf,
    True, False,
    datetime.date(1941, 6, 22), datetime.time(3, 15), datetime.datetime(1941, 6, 22, 3, 15, tzinfo=datetime.UTC),
    [], [0], ["a"], [[]], [{}], [True, 1.5], {}, {"a": 1}, {"": ""}, {"value": 1, "clause": "x"}, [[[[[[]]]]]],
]  # fmt: skip


def as_toml(value):
    """A value as TOML text, tables inline."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {as_toml(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    if isinstance(value, str | bool):
        return json.dumps(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def paths(node, path=()):
    """Paths to everything within a document."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, below in entries:
        yield (*path, key)
        yield from paths(below, (*path, key))


def turned(given):
    """A value the other way round."""
    if isinstance(given, dict):
        return dict(reversed(given.items()))
    return given[::-1] if isinstance(given, list | str) else -given


def changed(document, path, value):
    """A copy of a document with something odd at a path."""
    document = copy.deepcopy(document)
    node = document
    for part in path[:-1]:
        node = node[part]
    last, given = path[-1], node[path[-1]]
    if value is DELETED:
        del node[last]
    elif value is TWICE:
        node[last] = [given, given] if not isinstance(given, list) else given + given
    elif value is TURNED:
        node[last] = turned(given)
    elif value is LONG:
        node[last] = (given if isinstance(given, list) else [given]) * 300
    elif value is MORE:
        if isinstance(given, dict):
            given["a_new_key"] = next(iter(given.values()), 1)
        elif isinstance(given, list):
            given.append(1)
        else:
            node[last] = {"a": given}
    else:
        node[last] = value
    return document


def mutations(document):
    for path in paths(document):
        for value in ODD:
            yield path, value


def outcome(take, document, file, most=MOST_SECONDS):
    """Takes a document as a file; it may be refused in one line, and quickly."""
    file.write_text("\n".join(f"{json.dumps(key)} = {as_toml(value)}" for key, value in document.items()))
    began = time.monotonic()
    try:
        take(file)
        said = None
    except BadInput as refusal:
        said = str(refusal)
    took = time.monotonic() - began
    assert took < most, (took, said)
    assert said is None or (said.isprintable() and 0 < len(said) <= MOST_SIGNS), said
    return said


EXPERIMENT = """
name = "odd"
seed = 7
replications = 2
record = "games"
sample = { level = "turns", every = 2 }
label = "a night"
until = { measure = "payoff", test = { p0 = 0.4, p1 = 0.6, alpha = 0.1, over_all = true }, at_most = 20, budget = 99 }
common_random_numbers = false
night = { dice = "same", baseline = "x", tolerance = { margin = 0.5 }, significant = 0.01, verify = 3 }
policies.mine = { policy = "hold", doctrine = { retreats = 0 }, cost = 5 }
[[play]]
scenarios = ["barbarossa/blue"]
blue = ["mine"]
red = ["easy"]
design = "grid"
factors."options.five" = ["reroll", "two_attacks"]
factors."rules.attack.d3" = { low = 1, high = 5, steps = 2, unit = "faces" }
factors."doctrine.blue.retreats" = { levels = [0, 1] }
[[play]]
scenarios = ["barbarossa/uranus"]
blue = ["steady"]
red = ["medium"]
design = { kind = "latin_hypercube", points = 3, seed = 1 }
factors."rules.reinforcements.each_turn" = { low = 1, high = 5 }
factors."doctrine.red.japanese_attack" = [0, 1]
[[play]]
scenarios = ["barbarossa/barbarossa"]
blue = ["blitz"]
red = ["difficult"]
design = { kind = "list", rows = [{ "scenario.title" = "x", "rules.attack.d3" = 3 }] }
"""
CLUSTER = {
    "archive": "x", "workers": 2, "address": "a", "jobs": "b", "game_limit": 1.5, "limit_gb": 2.0, "env": ["A"],
}  # fmt: skip


def planned(file):
    make_plan(read(str(file)))


def documents_of(name):
    ref = library.find_scenario(name)
    return ref, library.documents(ref)


def loaded(name, kind):
    """A function that loads a game with one of its documents from a file, and the document."""
    ref, given = documents_of(name)
    book = sim.rulebook(ref.rulebook)

    def take(file):
        setup, names = book.load(*given._replace(**{kind: read_toml(file)}))
        assert bytes_a_game(book, book.shape(setup), "events") < 2**30
        assert names.turns

    return take, getattr(given, kind)


def everything():
    """Each kind of document: how it is taken, and a good one."""
    yield "experiment", planned, tomllib.loads(EXPERIMENT)
    doctrine = next((library.configs() / "policies" / "barbarossa").glob("*.toml"))
    yield "doctrine", lambda file: check(DoctrineFile, read_toml(file), file), read_toml(doctrine)
    yield "cluster", lambda file: clusters.options(str(file), of_jobs=False), CLUSTER
    for name in ("barbarossa/uranus", "tank_hex/village_assault", "first_contact/prokhorovka"):
        for kind in ("scenario", "board", "rules"):
            yield f"{kind} of {name}", *loaded(name, kind)


KINDS = list(everything())


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kind for kind, _, _ in KINDS])
def test_the_good_ones_are_taken(tmp_path: Path, number):
    _, take, document = KINDS[number]
    assert outcome(take, document, tmp_path / "good.toml", math.inf) is None  # it may compile


def try_some(take, document, file, count):
    outcome(take, document, file, math.inf)  # what is compiled, is now
    every = list(mutations(document))
    for number in np.random.default_rng(count).integers(len(every), size=count).tolist():
        path, value = every[number]
        try:
            outcome(take, changed(document, path, value), file)
        except Exception as error:
            error.add_note(f"{path} = {value!r:.100}")
            raise


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kind for kind, _, _ in KINDS])
def test_some_odd_ones(tmp_path: Path, number):
    _, take, document = KINDS[number]
    try_some(take, document, tmp_path / "odd.toml", SOME)


@pytest.mark.slow  # some minutes
@pytest.mark.parametrize("number", range(len(KINDS)), ids=[kind for kind, _, _ in KINDS])
def test_many_odd_ones(tmp_path: Path, number):
    _, take, document = KINDS[number]
    try_some(take, document, tmp_path / "odd.toml", MANY)
