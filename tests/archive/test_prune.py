"""Of each name the newest experiments stay."""

import json
from pathlib import Path

import pytest

import queries
from cluster import prune
from tests.small_archives import SmallExperiment


@pytest.fixture
def nights(tmp_path: Path) -> Path:
    """An archive with four nights of one experiment, created in another order than that of their ids, and a day."""
    archive = tmp_path / "archive"
    created = {"0000000a": 3, "0000000b": 1, "0000000c": 4, "0000000d": 2}
    for id8, day in created.items():
        experiment = SmallExperiment(archive, "night", id8=id8, label=f"2026-05-0{day}")
        experiment.shard(games=[{"replication": 0}, {"replication": 1}])
        manifest = json.loads((experiment.folder / "manifest.json").read_text())
        experiment.write_json("manifest.json", {**manifest, "created": f"2026-05-0{day}T01:00:00+00:00"})
    SmallExperiment(archive, "day", id8="0000000e").shard(games=[{"replication": 0}])
    return archive


def names(archive: Path) -> list[str]:
    return sorted(path.name.removeprefix("experiment=") for path in archive.iterdir())


def test_first_it_only_shows_what_would_go(nights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in nights.rglob("*") if path.is_file()}
    prune.prune(nights, 2, really=False)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{nights}/experiment=night-0000000b: created 2026-05-01T01:00:00+00:00, 2026-05-01, ")
    assert lines[1].startswith(f"{nights}/experiment=night-0000000d: created 2026-05-02")
    assert lines[2].startswith("2 experiments, ")
    assert lines[2].endswith(" would be deleted; 3 stay")
    assert lines[3:] == ["nothing is deleted yet: --yes does it"]
    assert {path: path.read_bytes() for path in nights.rglob("*") if path.is_file()} == before


def test_the_newest_of_each_name_stay(nights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prune.prune(nights, 1, really=True)
    assert names(nights) == ["day-0000000e", "night-0000000c"]
    assert "3 experiments, " in capsys.readouterr().out
    with queries.open(str(nights)) as archive:
        assert archive.sql("select count(*) from games").fetchall() == [(3,)]
    prune.prune(nights, 1, really=True)
    assert capsys.readouterr().out == "0 experiments, 0 bytes deleted; 2 stay\n"


def test_interrupted_it_leaves_an_archive_that_can_be_read_and_goes_on(
    nights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cluster.store import LocalStore

    delete = LocalStore.delete
    left = 0

    def interrupted(store: LocalStore, paths: list[str]) -> None:
        nonlocal left
        for path in paths:
            if left == 0:
                raise KeyboardInterrupt
            left -= 1
            delete(store, [path])

    monkeypatch.setattr(LocalStore, "delete", interrupted)
    for left in (0, 2, 4):  # noqa: B007 - read by `interrupted`
        with pytest.raises(KeyboardInterrupt):
            prune.prune(nights, 1, really=True)
        with queries.open(str(nights)) as archive:
            assert archive.sql("select count(*) from games").fetchall()[0][0] >= 3
    monkeypatch.undo()
    prune.prune(nights, 1, really=True)
    assert names(nights) == ["day-0000000e", "night-0000000c"]


MANIFESTS = {
    "truncated": lambda text: text[:40],
    "empty": lambda text: "",
    "no label": lambda text: text.replace('"label"', '"lebel"'),
    "no time": lambda text: text.replace("2026-05-03T01", "2026-05-73T01"),
    "a number": lambda text: json.dumps({**json.loads(text), "created": 7}),
    "a list": lambda text: "[]",
    "another name": lambda text: text.replace('"night"', '"nicht"'),
    "in the future": lambda text: text.replace("2026-05-03", "9026-05-03"),
}


@pytest.mark.parametrize("damage", MANIFESTS)
def test_what_is_damaged_stays_and_the_rest_is_pruned(nights: Path, capsys: pytest.CaptureFixture[str], damage) -> None:
    manifest = nights / "experiment=night-0000000a/manifest.json"
    manifest.write_text(MANIFESTS[damage](manifest.read_text()))
    prune.prune(nights, 1, really=True)
    assert names(nights) == ["day-0000000e", "night-0000000a", "night-0000000c"]
    (line,) = capsys.readouterr().err.splitlines()
    assert str(manifest.parent) in line
    assert line.endswith("stays as it is")


def test_spared_labels_stay_whatever_the_clock_says(nights: Path) -> None:
    tonight = nights / "experiment=night-0000000c/manifest.json"
    tonight.write_text(tonight.read_text().replace("2026-05-04T", "1970-01-01T"))
    prune.prune(nights, 1, really=True, only="night", spare=("2026-05-04", "2026-05-01"))
    assert names(nights) == ["day-0000000e", "night-0000000a", "night-0000000b", "night-0000000c"]
