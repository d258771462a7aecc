"""What describes an experiment may be damaged anywhere: it is told in one line, and nothing else happens."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from queries.catalog import experiment_in
from queries.files import LocalFiles
from sim.rules_file import BadInput

FILES = ("manifest.json", "inputs/plan.json", "rounds/1.json", "rounds/2.json")
WHOLE_EVERY = 61
"""Of so many changed bytes one is tried with the whole archive, which takes a while."""


@pytest.fixture
def experiment(small):
    """An experiment with all that may describe one; and another, which stays sound."""
    other = small("sound", id8="0000000f", replications=1)
    other.shard(games=[{"replication": 0}])
    cells = [{"a": 1.0, "b": "x", "c": None}, {"a": 2.5, "b": "y", "c": False}]
    made = small(cells=cells, sample={"level": "events", "every": 10})
    made.write_json("rounds/1.json", {"first": 2, "end": 5})
    added = [{"first_cell": 1, "last_cell": 1, "first": 5, "end": 7}]
    made.write_json("rounds/2.json", {"until": {"half_width": 0.1}, "games": 2, "added": added})
    made.shard(0, games=[{"replication": 0}, {"replication": 1}])
    return made


def refusal(do, *words):
    """The line that refuses something, with these words in it; none if it is done."""
    try:
        do()
    except BadInput as error:
        line = str(error)
    else:
        return ""
    assert line.isprintable()
    assert all(word in line for word in words), line
    return line


@pytest.mark.parametrize("name", FILES)
def test_a_changed_byte_gives_an_answer_or_one_line(experiment, opened, name):
    file = experiment.folder / name
    sound = file.read_bytes()
    files = LocalFiles(str(experiment.folder.parent))
    refused = 0
    for place in range(len(sound)):
        for bit in (0, 4, 7):
            content = bytearray(sound)
            content[place] ^= 1 << bit
            file.write_bytes(content)
            refused += bool(refusal(lambda: experiment_in(files, experiment.folder.name), str(experiment.folder)))
            if (3 * place + bit) % WHOLE_EVERY == 0:
                whole(opened, experiment)
    assert refused > len(sound)


def whole(opened, experiment):
    """Opens the archive, which is refused in a line or answers; without what is damaged it answers."""

    def ask(**options):
        with opened(**options) as archive:
            archive.question("win_rates").fetchall()
            return archive.notes, archive.sql("from experiments").fetchall()

    if refusal(ask):
        notes, rows = ask(skip_damaged=True)
        assert rows[-1][0] == "sound-0000000f"
        assert any(str(experiment.folder) in note for note in notes)


VALUES = (None, True, -1, 0, 1, 2.5, 2**31, 2**64, 10**400, float("nan"), float("inf"), "", "x", "\ud800", [], [1], {})


def paths_of(document, above=()):
    yield above
    if isinstance(document, dict):
        for key, value in document.items():
            yield from paths_of(value, (*above, key))
    if isinstance(document, list):
        for place, value in enumerate(document):
            yield from paths_of(value, (*above, place))


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_value_gives_an_answer_or_one_line(experiment, opened, name):
    file = experiment.folder / name
    text = file.read_text()
    files = LocalFiles(str(experiment.folder.parent))
    tried = 0
    for path in paths_of(json.loads(text)):
        for value in (*VALUES, "missing"):
            document = {"": json.loads(text)}
            node = document
            for key in ("", *path)[:-1]:
                node = node[key]
            last = ("", *path)[-1]
            if value == "missing":
                del node[last]
            else:
                node[last] = value
            file.write_text(json.dumps(document.get("", "")))
            tried += 1
            if (
                not refusal(lambda: experiment_in(files, experiment.folder.name), str(experiment.folder))
                and tried % 11 == 0
            ):
                whole(opened, experiment)


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"first": 3, "end": 5}, "does not go on where the plan"),
        ({"first": 2, "end": 2}, "adds no games"),
        ({"first": "2", "end": 5}, "first is missing or wrong"),
        ({"added": [{"first_cell": 1, "last_cell": 2, "first": 2, "end": 5}]}, "games of cells that the plan has not"),
        ({"added": [{"first_cell": 1, "last_cell": 0, "first": 2, "end": 5}]}, "adds no games"),
        ({"added": [{"first_cell": -1, "last_cell": 0, "first": 2, "end": 5}]}, "added is missing or wrong"),
        ([], "it is no object"),
    ],
)
def test_a_wrong_round_is_named_and_can_be_left_out(experiment, opened, document, says):
    experiment.write_json("rounds/1.json", document)
    with pytest.raises(BadInput, match=rf"rounds/1\.json: .*{says}"):
        opened()
    assert opened(skip_damaged=True).sql("select experiment from experiments").fetchall() == [("sound-0000000f",)]


# Cells


def changed(column, value):
    def change(path):
        table = pq.read_table(path)
        rows = table.to_pylist()
        rows[1][column] = value
        pq.write_table(pa.Table.from_pylist(rows, table.schema), path)

    return change


def without_a_row(path):
    pq.write_table(pq.read_table(path).slice(0, 1), path)


def with_a_column(path):
    table = pq.read_table(path)
    pq.write_table(table.append_column("winner", pa.array(["red", "blue"])), path)


def without_a_column(path):
    pq.write_table(pq.read_table(path).drop_columns("blue_policy"), path)


def cut_off(path):
    path.write_bytes(path.read_bytes()[:-20])


def gone(path):
    path.unlink()


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (changed("blue_policy", "steady"), "cell 1 has another blue_policy than in the plan"),
        (changed("seed", 1), "cell 1 has another seed than in the plan"),
        (changed("a", 3.0), "cell 1 has another a than in the plan"),
        (changed("c", None), "cell 1 has another c than in the plan"),
        (changed("cell", 7), "cell 1 has another cell than in the plan"),
        (with_a_column, "cell 0 has another winner than in the plan"),
        (without_a_column, "cell 0 has another blue_policy than in the plan"),
        (without_a_row, "it has 1 cells, the plan has 2"),
        (cut_off, "is damaged"),
        (gone, "is missing"),
    ],
)
def test_a_table_of_cells_that_is_not_the_plan_s_is_not_read(experiment, opened, harm, says):
    path = experiment.folder / "cells.parquet"
    harm(path)
    with pytest.raises(BadInput, match=says) as refused:
        opened()
    assert str(refused.value).startswith(f"{path}: ")
    archive = opened(skip_damaged=True)
    assert archive.sql("select distinct experiment from cells").fetchall() == [("sound-0000000f",)]
    assert archive.sql("select count(*) from games").fetchall() == [(3,)]
    assert any(note.startswith(f"left out: {path}: ") for note in archive.notes)


def test_a_table_of_cells_that_is_not_the_manifest_s_is_not_read(experiment, opened):
    manifest = json.loads((experiment.folder / "manifest.json").read_text())
    experiment.write_json("manifest.json", {**manifest, "complete": True, "digests": {"cells.parquet": "0" * 64}})
    with pytest.raises(BadInput, match=r"cells\.parquet: is damaged: it does not have the digest"):
        opened()


def test_what_a_file_of_games_says_of_itself_may_be_damaged(experiment, opened):
    path = experiment.path("games", 0, 0)
    sound = path.read_bytes()
    start = sound.rindex(b'{"schema_version"')
    for place in range(start, start + 120, 4):
        content = bytearray(sound)
        content[place] ^= 1
        path.write_bytes(content)
        refusal(lambda: opened().close(), path.name)
        opened(skip_damaged=True).close()
