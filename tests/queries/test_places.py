"""Where an archive lies says nothing of what is in it: folders above, links, and what is no place at all."""

import re
import socket
from pathlib import Path

import duckdb
import pytest

import queries
from cluster import layout
from cluster.store import store_of
from queries import files
from queries.archive import SHOWN
from sim.rules_file import BadInput
from tests import object_store

GAMES = [
    {"replication": 0, "winner": "red"},
    {"replication": 1, "winner": "blue", "turns": 9},
    {"replication": 0, "cell": 1, "winner": "draw", "blue_policy": "steady"},
]
COLUMNS = (
    "experiment=9", "rulebook=tank_hex", "cell=9", "replication=9", "scenario=x", "red_policy=x", "blue_policy=x",
    "winner=red", "outcome=x", "margin=9", "turns=9", "turn=3", "side=red", "unit=x", "place=x", "holder=red", "seq=9",
    "kind=x", "content=x", "seed=1", "factor=1", "name=x", "label=x", "level=1", "filename=x", "end_reason=failed",
)  # fmt: skip
NAMES = (
    "it's", 'a "quote"', "a*b", "what?", "[ab]", "{a,b}", "a space", "多算", "a\nline", "a%20b", "a#b", "a;b", "$x",
    "~", "..x", "experiment=other-00000009", "archive:", "-x",
)  # fmt: skip


@pytest.fixture
def fought(small):
    """An archive with two cells, losses and all."""
    experiment = small(cells=[{"factor": 1}, {"factor": 2, "blue_policy": "steady"}], replications=2)
    unit = {"turn": 1, "unit": "1st", "nation": "german"}
    turns = [{"turn": 1, "side": side, "territory": 3} for side in ("red", "blue")]
    events = [{"turn": 1, "kind": "attack", "actor": "1st", "place": "Kiev", "units": 1, "modifier": 0, "result": "x"}]
    experiment.shard(0, games=GAMES, units=[unit], turns=turns, events=events, territory=[{"turn": 1, "place": "Kiev"}])
    return experiment


def answers(archive):
    return {table: sorted(map(repr, archive.sql(f"from {table}").fetchall())) for table in SHOWN}


@pytest.mark.parametrize("names", [COLUMNS, NAMES], ids=["columns", "odd names"])
def test_a_folder_above_the_archive_is_no_column(fought, opened, tmp_path, names):
    plain = answers(opened())
    above = tmp_path.joinpath(*names)
    above.mkdir(parents=True)
    (tmp_path / "archive").rename(above / "archive")
    moved = opened(above / "archive")
    assert answers(moved) == plain
    assert answers(opened(above / "archive" / fought.folder.name)) == plain
    assert answers(opened(above / "archive", skip_damaged=True)) == plain
    fought.folder = above / "archive" / fought.folder.name
    path = fought.path("games", 0, 0)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(BadInput) as refused:
        opened(above / "archive")
    shown = str(path).replace("\n", "\\n")
    assert str(refused.value).startswith(f"{shown}: is damaged")


def test_the_recipe_without_us_counts_no_folder_above(fought, opened, tmp_path, monkeypatch):
    above = tmp_path / "cell=9" / "turn=7"
    above.mkdir(parents=True)
    (tmp_path / "archive").rename(above / "archive")
    readme = (Path(queries.__file__).parent / "README.md").read_text(encoding="utf-8")
    folder, recipe = re.findall(r"cd (\S+) && duckdb -c \"(from read_parquet.*?)\"", readme, re.DOTALL)[0]
    assert folder.startswith("archives/")
    monkeypatch.chdir(above / "archive")
    found = duckdb.sql(f"select experiment, rulebook, cell, replication, turn, side {recipe} order by all")
    ours = opened(above / "archive").sql("select experiment, rulebook, cell, replication, turn, side from turns")
    assert found.fetchall() == sorted(ours.fetchall())


# Links


def test_an_experiment_behind_a_link_is_read_and_so_is_its_folder(fought, opened, tmp_path):
    plain = answers(opened())
    real = tmp_path / "elsewhere" / "of another name"
    real.parent.mkdir()
    fought.folder.rename(real)
    fought.folder.symlink_to(real)
    (tmp_path / "link").symlink_to(tmp_path / "archive")
    for place in (tmp_path / "archive", fought.folder, tmp_path / "link", tmp_path / "link" / fought.folder.name):
        assert answers(opened(place)) == plain
        assert answers(opened(place, skip_damaged=True)) == plain
    with pytest.raises(BadInput, match="is an experiment under another name"):
        opened(real)


def test_an_archive_may_be_called_like_an_experiment(fought, opened, tmp_path):
    plain = answers(opened())
    named = tmp_path / "experiment=other-00000009"
    (tmp_path / "archive").rename(named)
    assert answers(opened(named)) == plain
    assert answers(opened(named / fought.folder.name)) == plain


def test_a_link_in_a_circle_is_one_note_and_hides_nothing(fought, opened, tmp_path):
    plain = opened().sql("from games").fetchall()
    circle = tmp_path / "archive" / "experiment=circle-00000008"
    circle.symlink_to(circle)
    (tmp_path / "archive" / "a").symlink_to(tmp_path / "archive" / "b")
    (tmp_path / "archive" / "b").symlink_to(tmp_path / "archive" / "a")
    (fought.folder / "units" / "up").symlink_to(fought.folder)
    archive = opened()
    assert archive.sql("from games").fetchall() == plain
    assert f"left out: {circle}: has no manifest yet" in archive.notes


# What is no place


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("{here}/circle", "cannot be a folder: Too many levels of symbolic links"),
        ("{here}/circle/below", "cannot be a folder: Too many levels of symbolic links"),
        ("x" * 300, "cannot be a folder: File name too long"),
        ("x/" * 3000, "cannot be a folder: File name too long"),
        ("a\0b", r"'a\\x00b': cannot be a folder: .*null"),
        ("{here}/nothing", "there is no such archive"),
        ("ftp://host/archive", "there is no way to ftp://: use a folder or s3://bucket/prefix"),
        ("http://host/archive", "there is no way to http://"),
        ("://", "there is no way to ://"),
        ("s3://", "'' is no bucket"),
        ("s3://a b/x", "'a b' is no bucket"),
        ("s3://bucket/a\0b", "no characters that cannot be printed"),
        ("s3://bucket/" + "x" * 900, "the prefix is too long"),
        ("s3://me:secret@bucket/x", "must hold no credentials"),
    ],
)
def test_what_is_no_place_is_refused_in_one_line(opened, tmp_path, monkeypatch, place, says):
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    place = place.format(here=tmp_path)
    for use in (lambda: queries.open(place), lambda: layout.experiments(store_of(place))):
        with pytest.raises(BadInput) as refused:
            use().close()
        assert str(refused.value).isprintable()
        assert "secret" not in str(refused.value)
    with pytest.raises(BadInput, match=says):
        queries.open(place)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("AWS_ENDPOINT_URL", "garbage"),
        ("AWS_ENDPOINT_URL", "http://"),
        ("AWS_ENDPOINT_URL", "ftp://host"),
        ("AWS_ENDPOINT_URL", "http://host:port"),
        ("AWS_ENDPOINT_URL_S3", "http://a host"),
        ("AWS_MAX_ATTEMPTS", "abc"),
        ("AWS_MAX_ATTEMPTS", "0"),
        ("AWS_MAX_ATTEMPTS", "-1"),
    ],
)
def test_an_environment_that_says_nothing_is_named(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    for use in (queries.open, store_of):
        with pytest.raises(BadInput, match=rf"s3://bucket/x: cannot be .*: {name} is .*: use "):
            use("s3://bucket/x")


def test_a_store_that_says_nothing_is_told_of_and_given_up(monkeypatch, capsys):
    with socket.create_server(("127.0.0.1", 0), backlog=50) as mute:  # connects, and nobody reads
        for name, value in object_store.environment(f"http://127.0.0.1:{mute.getsockname()[1]}").items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(files, "TOLD_SECONDS", 0.2)
        quick = {**files.S3_OPTIONS["config_kwargs"], "read_timeout": 0.5}
        monkeypatch.setattr(files, "S3_OPTIONS", {**files.S3_OPTIONS, "config_kwargs": quick})
        with pytest.raises(BadInput, match="the store does not answer: AWS_ENDPOINT_URL says where it is"):
            queries.open("s3://bucket/mute")
    assert "s3://bucket/mute: the store has not answered for 0.2 s; still trying" in capsys.readouterr().err


def test_the_wait_for_a_store_is_about_a_minute():
    tries = 3 * files.S3_RETRIES  # three is the default of AWS_MAX_ATTEMPTS
    assert tries * files.S3_OPTIONS["config_kwargs"]["read_timeout"] <= 75


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"x" * 40)], ids=["gone", "changed"])
def test_a_file_that_goes_while_it_is_asked_is_one_line(fought, opened, harm):
    archive = opened()
    path = fought.path("events", 0, 0)
    harm(path)
    with pytest.raises(BadInput) as refused, archive.errors():
        archive.sql("select count(columns(*)) from events").fetchall()
    assert str(refused.value).isprintable()
    assert path.name in str(refused.value)
    assert archive.sql("select count(*) from games").fetchall() == [(3,)]
