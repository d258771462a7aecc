"""Where an archive lies says nothing of what is in it: folders above, links, and what is no place at all."""

import re
from pathlib import Path

import duckdb
import pytest

import queries
from queries.archive import SHOWN
from sim.rules_file import BadInput

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
    assert str(refused.value).startswith(" ".join(f"{path}: is damaged".split()))


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
