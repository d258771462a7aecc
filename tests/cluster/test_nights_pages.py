"""The index and the pages of nights, also of damaged ones."""

import json
import os
from pathlib import Path

import pytest

from cluster.night_folder import NightFolder, try_folder
from queries import nights
from queries.nights import write_index, write_night
from queries.nights.record import Record, read_record
from sim.rules_file import BadInput


def record(label: str, **changes: object) -> Record:
    return Record.model_validate({"label": label, "name": "night", "created": f"{label}T02:15:00+00:00", **changes})


def test_the_index_shows_each_state_and_its_line(tmp_path: Path) -> None:
    write_night(
        tmp_path, record("2026-05-01", complete=True, games=30, planned=30, seed=7), {"report.html": "a report"}
    )
    write_night(tmp_path, record("2026-05-02", state="failed", line="<the disk is full>", exit_code=1))
    write_night(tmp_path, record("2026-05-03", state="incomplete", line="stopped", notes=("left out: <a>",)))
    write_night(tmp_path, record("2026-05-04", state="begun", notes=("left out: <b>",)))
    assert write_index(tmp_path) == []
    index = (tmp_path / "index.html").read_text()
    rows = [row for row in index.split("<tr>") if "night.html" in row]
    assert [row.partition("/night.html")[0][-10:] for row in rows] == [f"2026-05-0{n}" for n in (4, 3, 2, 1)]
    for row, words in zip(
        rows,
        (["begun, not ended", "left out: &lt;b&gt;"], ["<b>incomplete</b>", "stopped", "1 note<"],
         ["<b>failed</b>", "&lt;the disk is full&gt;"], ["complete", "2026-05-01/report.html", ">7<"]),
        strict=True,
    ):  # fmt: skip
        assert all(word in row for word in words), row
    assert index.count("report.html") == 1
    assert "left out: &lt;a&gt;" in (tmp_path / "2026-05-03" / "night.html").read_text()
    page = (tmp_path / "2026-05-02" / "night.html").read_text()
    assert "The night of 2026-05-02: failed" in page
    assert "&lt;the disk is full&gt;" in page
    assert "<dt>exit code</dt><dd>1</dd>" in page


GOOD = {"label": "b", "name": "night", "created": "2026-05-02T02:15:00+00:00"}
UNIFORM = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 10}


@pytest.mark.parametrize(
    "text",
    [
        "",
        json.dumps(GOOD)[:20],
        "[1, 2]",
        json.dumps({**GOOD, "label": 5}),
        json.dumps({"label": "b"}),
        json.dumps({**GOOD, "drifts": {"a": {}}}),
        json.dumps({**GOOD, "scenarios": [{"name": "a"}]}),
        json.dumps({**GOOD, "state": "perhaps"}),
        b"\xff\x00",
        None,
    ],
)
def test_a_damaged_record_is_left_out_and_told(tmp_path: Path, text: str | bytes | None) -> None:
    write_night(tmp_path, record("2026-05-01"))
    path = tmp_path / "b" / "night.json"
    path.parent.mkdir()
    if text is None:
        path.mkdir()
    else:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (line,) = write_index(tmp_path)
    assert line.startswith(f"left out: {path}: ")
    index = (tmp_path / "index.html").read_text()
    assert str(path) in index
    assert "2026-05-01/night.html" in index


def test_a_number_that_is_none_draws_nothing(tmp_path: Path) -> None:
    for label, value in (("2026-05-01", 0.5), ("2026-05-02", None), ("2026-05-03", float("inf")), ("2026-05-04", 0.4)):
        scenario = {"name": "barbarossa/uranus", "title": "Uranus", "uniform": {**UNIFORM, "value": value}}
        write_night(tmp_path, record(label, scenarios=[scenario]))
    assert write_index(tmp_path) == []
    assert (tmp_path / "index.html").read_text().count("<svg") == 1


def test_what_is_no_night_does_not_matter(tmp_path: Path) -> None:
    write_night(tmp_path, record("2026-05-01"))
    (tmp_path / "latest").symlink_to(tmp_path / "2026-05-01")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("notes")
    assert write_index(tmp_path) == []
    assert (tmp_path / "index.html").read_text().count("/night.html") == 1


def test_what_another_version_has_written_stays(tmp_path: Path) -> None:
    drift = {"alarms": 2, "differences": [{"p": 0.01}]}
    path = tmp_path / "b" / "night.json"
    path.parent.mkdir()
    path.write_text(json.dumps({**GOOD, "drifts": {"a": drift}, "weather": "rain"}))
    before = read_record(path.parent)
    assert before is not None
    write_night(tmp_path, before.model_copy(update={"state": "failed"}))
    after = json.loads(path.read_text())
    assert (after["weather"], after["drifts"]["a"], after["state"]) == ("rain", drift, "failed")


def test_a_page_is_there_as_a_whole_or_the_one_before_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_night(tmp_path, record("2026-05-01"))
    write_index(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(nights.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_night(tmp_path, record("2026-05-01", state="failed"), {"report.html": "new"})
    with pytest.raises(OSError, match="No space"):
        write_index(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_pages_may_be_read_as_other_files(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_night(tmp_path, record("2026-05-01"))
    finally:
        os.umask(before)
    assert (tmp_path / "2026-05-01" / "night.html").stat().st_mode & 0o777 == 0o644


def test_a_folder_is_tried_and_nothing_is_left(tmp_path: Path) -> None:
    try_folder(tmp_path / "a" / "b", "--reports")
    assert list((tmp_path / "a" / "b").iterdir()) == []
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name, why in (
        ("file", "it is a file, or leads through one"),
        ("file/below", "it is a file, or leads through one"),
        ("a\0b", "null byte"),
        ("n" * 300, "File name too long"),
        ("loop/a", "symbolic link"),
    ):
        with pytest.raises(BadInput, match=rf"^--reports: .* cannot be written: .*{why}"):
            try_folder(tmp_path / name, "--reports")
    with pytest.raises(BadInput, match="cannot be written"):
        try_folder(Path("/proc/nights"), "--reports")


def test_a_night_is_held_by_one(tmp_path: Path) -> None:
    folder = NightFolder.open(tmp_path, "a")
    assert folder is not None
    assert NightFolder.open(tmp_path, "a") is None
    other = NightFolder.open(tmp_path, "b")
    assert other is not None
    other.close()
    folder.close()
    again = NightFolder.open(tmp_path, "a")
    assert again is not None
    again.close()


def test_another_start_keeps_what_is_known_but_the_end(tmp_path: Path) -> None:
    write_night(tmp_path, record("a", created="2026-05-01T00:00:00Z", complete=True, games=30, line="was full"))
    folder = NightFolder.open(tmp_path, "a")
    assert folder is not None
    begun = folder.begun("night")
    assert (begun.state, begun.line, begun.games, begun.complete) == ("begun", "", 30, True)
    with pytest.raises(BadInput, match="has a night of night, not of day: use a folder for each"):
        folder.check_name("day")
    folder.close()
    # What was never complete may have been begun under a wrong name.
    write_night(tmp_path, record("b", created="2026-05-01T00:00:00Z", state="failed", name="typo"))
    folder = NightFolder.open(tmp_path, "b")
    assert folder is not None
    folder.check_name("day")
    assert folder.begun("day").name == "day"
    folder.close()
