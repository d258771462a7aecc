"""Which earlier nights can be used, and which are gone on with."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cluster.earlier import LABEL, MOST_TRIES, RECENT_DAYS, nights_of, unfinished, why_given_up

NOW = datetime(2026, 5, 20, 2, tzinfo=UTC)


def manifest(id8: str, **changes: object) -> dict[str, object]:
    whole = {
        "schema_version": 1,
        "name": "night",
        "id": id8 * 8,
        "label": f"of-{id8}",
        "created": "2026-05-19T02:15:00.000+00:00",
        "complete": True,
        "digests": {"cells.parquet": "00"},
    }
    return {key: value for key, value in {**whole, **changes}.items() if value is not None}


def put(archive: Path, id8: str, text: str | bytes | None = None, **changes: object) -> Path:
    folder = archive / f"experiment=night-{id8}"
    folder.mkdir(parents=True)
    text = json.dumps(manifest(id8, **changes)) if text is None else text
    (folder / "manifest.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


WHOLE = json.dumps(manifest("0000000b"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is damaged"),
        (WHOLE[: len(WHOLE) // 2], "is damaged"),
        (b"\xff\xfe", "is damaged"),
        ("[]", "is damaged"),
        ("[" * 100_000, "is damaged"),
        (json.dumps(manifest("0000000b", label=None)), "is damaged: label: Field required"),
        (json.dumps(manifest("0000000b", created=None)), "is damaged: created: Field required"),
        (json.dumps(manifest("0000000b", created="yesterday")), "is damaged: created: "),
        (json.dumps(manifest("0000000b", created="2026-05-19T02:15:00")), "is damaged: created: "),
        (json.dumps(manifest("0000000b", digests=None)), "complete, but without digests"),
        (json.dumps(manifest("0000000b", digests=["a"])), "is damaged: digests: "),
        (json.dumps(manifest("0000000b", complete="yes")), "is damaged: complete: "),
        (json.dumps(manifest("0000000b", name=7)), "is damaged: name: "),
        (json.dumps(manifest("0000000b", schema_version=2)), "was written by another version of Duosuan (schema 2)"),
        (json.dumps(manifest("0000000c")), "is the manifest of night-0000000c"),
    ],
)
def test_what_is_damaged_is_left_out_and_told(tmp_path: Path, text: str | bytes, why: str) -> None:
    put(tmp_path, "0000000a")
    folder = put(tmp_path, "0000000b", text)
    found, damaged = nights_of(tmp_path, "night")
    assert [night.label for night in found] == ["of-0000000a"]
    (line,) = damaged
    assert line.startswith(f"left out: {folder}/manifest.json: ")
    assert why in line
    assert "\n" not in line


def test_what_is_no_night_of_the_experiment_does_not_matter(tmp_path: Path) -> None:
    there = put(tmp_path, "0000000a")
    put(tmp_path / "elsewhere", "0000000c")
    (tmp_path / "experiment=day-0000000d").mkdir()
    (tmp_path / "experiment=day-0000000d" / "manifest.json").write_text("{")
    (tmp_path / "experiment=night-0000000e").mkdir()
    (tmp_path / "experiment=night-0000000f").write_text("a file")
    (tmp_path / "experiment=night-00000001").symlink_to(tmp_path / "nowhere")
    (tmp_path / "night.txt").write_text("notes")
    found, damaged = nights_of(tmp_path, "night")
    assert ([night.store.name for night in found], damaged) == ([there.name], [])
    (tmp_path / "experiment=night-00000002").symlink_to(there)
    _, (line,) = nights_of(tmp_path, "night")
    assert "is the manifest of night-0000000a" in line


def test_the_newest_comes_first_whatever_the_zone(tmp_path: Path) -> None:
    put(tmp_path, "0000000a", created="2026-05-19T23:30:00+09:00")
    put(tmp_path, "0000000b", created="2026-05-19T15:00:00+00:00")
    assert [night.label for night in nights_of(tmp_path, "night")[0]] == ["of-0000000b", "of-0000000a"]


def test_one_of_each_label_that_is_nowhere_complete_is_unfinished(tmp_path: Path) -> None:
    gone = {"complete": False, "digests": None}
    put(tmp_path, "0000000a", label="a", **gone)
    put(tmp_path, "0000000b", label="b", created="2026-05-18T02:15:00Z", **gone)
    put(tmp_path, "0000000c", label="b", created="2026-05-19T02:15:00Z", **gone)
    put(tmp_path, "0000000d", label="c", **gone)
    put(tmp_path, "0000000e", label="c", created="2026-05-01T02:15:00Z")
    put(tmp_path, "0000000f", label="", **gone)
    put(tmp_path, "00000001", label="not a folder", **gone)
    found = {night.label: night.store.name for night in unfinished(nights_of(tmp_path, "night")[0])}
    assert found == {"a": "experiment=night-0000000a", "b": "experiment=night-0000000c"}


@pytest.mark.parametrize(
    ("tries", "days", "why"),
    [
        (0, 1, ""),
        (MOST_TRIES - 1, RECENT_DAYS - 0.1, ""),
        (MOST_TRIES, 1, f"not complete after {MOST_TRIES} more tries"),
        (0, RECENT_DAYS + 0.1, f"not of the last {RECENT_DAYS} days"),
        (0, -1, ""),
        (0, -RECENT_DAYS - 1, f"not of the last {RECENT_DAYS} days"),
    ],
)
def test_when_a_night_is_given_up(tmp_path: Path, tries: int, days: float, why: str) -> None:
    put(tmp_path, "0000000a", created=(NOW - timedelta(days=days)).isoformat())
    ((night,), _) = nights_of(tmp_path, "night")
    assert why_given_up(night, tries, NOW) == why


@pytest.mark.parametrize(
    ("label", "good"),
    [
        ("2026-05-01", True),
        ("a" * 60, True),
        ("a" * 61, False),
        ("", False),
        (" ", False),
        ("..", False),
        (".lock", False),
        ("a/b", False),
        ("a\\b", False),
        ("a\n", False),
        ("index.html", False),
        ("INDEX.HTML", False),
        ("index.html.old", True),
        ("ä", False),
    ],
)
def test_what_a_night_may_be_called(label: str, good: bool) -> None:
    assert bool(LABEL.fullmatch(label)) == good
