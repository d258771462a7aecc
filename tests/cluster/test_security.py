"""Names that would lead out of their folder are refused, and what a run starts is shown to this machine alone."""

import inspect
import re
from pathlib import Path

import pytest
import ray

from cluster import RunFailed, cli, dispatch
from cluster.store import LocalStore

ROOT = Path(__file__).parents[2]
SCENARIO = (ROOT / "configs" / "scenarios" / "barbarossa" / "uranus.toml").read_text()
EXPERIMENT = """
name = "{name}"
seed = 1
replications = 1
[policies."{policy}"]
policy = "hold"
[[play]]
scenarios = ["{scenario}"]
blue = ["{blue}"]
red = ["easy"]
"""
GOOD = {"name": "fine", "policy": "own", "scenario": "barbarossa/uranus", "blue": "own"}


def refused(capsys, *words: object) -> str:
    assert cli.run([str(word) for word in words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert re.fullmatch(r"error: [^\n]+\n", told.err)
    return told.err


@pytest.mark.parametrize("bad", ["../out", "/tmp/out", "..", "a/b"])
@pytest.mark.parametrize("key", ["name", "policy", "scenario", "blue"])
def test_names_in_an_experiment_are_no_paths(capsys, tmp_path, key, bad):
    (tmp_path / "x.toml").write_text(EXPERIMENT.format(**GOOD | {key: bad}))
    assert bad in refused(capsys, "run", tmp_path / "x.toml", "--archive", tmp_path / "archive", "--inline")
    assert [path.name for path in tmp_path.iterdir()] == ["x.toml"]


@pytest.mark.parametrize("bad", ["../out", "/tmp/out", "..", "a/b"])
@pytest.mark.parametrize("key", ["name", "map"])
def test_names_in_a_scenario_are_no_paths(capsys, tmp_path, key, bad):
    # What a path would lead to is there, so that it is the name that is refused.
    board = (ROOT / "configs" / "maps" / "barbarossa" / "eastern_front.toml").read_text()
    (tmp_path / "in" / "a").mkdir(parents=True)
    for path in ("out.toml", "in/a/b.toml"):
        (tmp_path / path).write_text(board)
    file = tmp_path / "in" / "x.toml"
    file.write_text(re.sub(f'^{key} = ".*"', f'{key} = "{bad}"', SCENARIO, flags=re.MULTILINE))
    assert bad in refused(capsys, "play", file, "--blue", "hold", "--red", "easy")


@pytest.mark.parametrize(
    "words",
    [
        ["run", "../out"],
        ["query", "../out", "archive"],
        ["show", "../out"],
        ["run", "demo", "--cluster", "../out"],
    ],
)
def test_names_that_are_typed_are_no_paths(capsys, tmp_path, monkeypatch, words):
    (tmp_path / "in").mkdir()
    monkeypatch.chdir(tmp_path / "in")
    assert "../out" in refused(capsys, *words)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_the_dashboard_is_for_this_machine_alone(monkeypatch, tmp_path):
    """Ray binds it to loopback if it is not told otherwise."""
    assert inspect.signature(ray.init).parameters["dashboard_host"].default == "127.0.0.1"
    told = {}

    def init(**given):
        told.update(given)
        raise RuntimeError("far enough")

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    options, store = dispatch.Options(dashboard=True), LocalStore(str(tmp_path))
    with pytest.raises(RunFailed, match="far enough"), dispatch.on_ray(options, store):
        pass
    assert told["include_dashboard"] is True
    assert "dashboard_host" not in told
