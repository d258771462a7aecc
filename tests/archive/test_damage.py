"""Whatever is damaged, wherever: found, named, and before the experiment is complete played again to the same bytes."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cluster import cli
from queries.catalog import TABLES
from tests.archive.conftest import digests, only_experiment, sha256, write_small


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with an experiment of few games in five shards; not to be touched."""
    file = write_small(tmp_path_factory.mktemp("whole"), replications=24)
    text = file.read_text().replace("cost = 100", "cost = 400")
    file.write_text(text)
    assert cli.run(["run", str(file), "--archive", str(file.with_name("archive")), "--inline"]) == 0
    return file.with_name("archive")


@pytest.fixture
def broken(whole: Path, tmp_path: Path) -> Path:
    """A copy of the experiment's folder, to be damaged."""
    shutil.copytree(whole, tmp_path / "archive")
    return only_experiment(tmp_path / "archive")


def file_of(folder: Path, table: str, shard: int = 1) -> Path:
    return next(folder.glob(f"{table}/*/*/shards-{shard:06d}-*.parquet"))


def unfinished(folder: Path) -> None:
    """As it is when the last shard has been published, and nothing more."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["digest"], manifest["digests"]
    path.write_text(json.dumps({**manifest, "complete": False}))


def flip(path: Path, place: int, bits: int = 1) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= bits
    path.write_bytes(content)


def footer(path: Path) -> int:
    """Where the footer begins."""
    content = path.read_bytes()
    return len(content) - 8 - int.from_bytes(content[-8:-4], "little")


def metadata(path: Path) -> int:
    """A place in what the file says of itself."""
    return path.read_bytes().rindex(b'"experiment"') + 20


DAMAGES: dict[str, Callable[[Path, Path], object]] = {
    "magic": lambda path, other: flip(path, 1),
    "page header": lambda path, other: flip(path, 5),
    "page": lambda path, other: flip(path, footer(path) // 2),
    "footer": lambda path, other: flip(path, footer(path) + 40),
    "metadata": lambda path, other: flip(path, metadata(path)),
    "length of the footer": lambda path, other: flip(path, -8, 64),
    "longer footer": lambda path, other: flip(path, -6, 127),
    "last letter": lambda path, other: flip(path, -1),
    "truncated": lambda path, other: path.write_bytes(path.read_bytes()[:-100]),
    "more": lambda path, other: path.write_bytes(path.read_bytes() + b"PAR1"),
    "empty": lambda path, other: path.write_bytes(b""),
    "missing": lambda path, other: path.unlink(),
    "other shard's": lambda path, other: path.write_bytes(other.read_bytes()),
    "no Parquet": lambda path, other: path.write_text("holiday"),
}


def ended(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    capsys.readouterr()
    code = cli.run([*map(str, words)])
    return code, capsys.readouterr().err


def each_once(damages: dict[str, Callable], tables: tuple[str, ...]) -> list:
    """All damages of all tables; without the slow ones each damage of one table, and each table some."""
    return [
        pytest.param(damage, table, marks=[] if number % len(tables) == place else [pytest.mark.slow])
        for number, damage in enumerate(damages)
        for place, table in enumerate(tables)
    ]


@pytest.mark.parametrize(("damage", "table"), each_once(DAMAGES, TABLES))
def test_what_is_damaged_is_named_and_played_again(whole, broken, capsys, damage, table) -> None:
    path = file_of(broken, table)
    DAMAGES[damage](path, file_of(broken, table, 2))
    name = path.relative_to(broken).as_posix()
    code, told = ended(capsys, "verify", broken, "--sample", 0)
    assert code == 1
    assert f"{broken}: {name}: " in told
    unfinished(broken)
    code, told = ended(capsys, "resume", broken, "--inline")
    assert code == 0, told
    if (damage, table) != ("missing", "games"):  # a shard that is not there is none that is damaged
        assert len([line for line in told.splitlines() if f"{name}: " in line and "shard 1 played again" in line]) == 1
    assert "1 of 5 shards to play" in told
    assert digests(broken.parent) == digests(whole)
    assert ended(capsys, "verify", broken, "--sample", 5)[0] == 0


def test_what_is_damaged_after_it_is_complete_resume_mends(whole, broken, capsys) -> None:
    flip(file_of(broken, "units"), -30)
    assert ended(capsys, "resume", broken, "--inline")[0] == 0
    assert digests(broken.parent) == digests(whole)
    manifests = (only_experiment(whole), broken)
    one, two = (json.loads((folder / "manifest.json").read_text()) for folder in manifests)
    assert one == two


@pytest.mark.parametrize("complete", [True, False])
def test_a_damaged_wide_file_is_played_again(whole, broken, capsys, complete) -> None:
    assert cli.run(["compact", str(broken)]) == 0
    compacted = digests(broken.parent)
    path = file_of(broken, "events", 0)
    flip(path, footer(path) + 9)
    assert ended(capsys, "verify", broken, "--sample", 0)[0] == 1
    code, told = ended(capsys, "compact", broken)
    assert code == 1
    assert f"{path.relative_to(broken)}: has changed since it was published" in told
    if not complete:
        unfinished(broken)
    code, told = ended(capsys, "resume", broken, "--inline")
    assert code == 0
    assert "shards 0 to 4 played again" in told
    assert digests(broken.parent) == digests(whole)
    assert cli.run(["compact", str(broken)]) == 0
    assert digests(broken.parent) == compacted


def test_a_wide_file_that_is_damaged_before_the_narrow_ones_are_gone_is_not_believed(
    whole, broken, elsewhere, capsys
) -> None:
    call = f"from cluster.compact import compact; compact({str(broken)!r})"
    assert elsewhere.call(call, DUOSUAN_FAULT="after-rename-wide-games:1").code == -9
    (wide,) = broken.glob("turns/*/*/shards-000000-000004.parquet")
    flip(wide, 100)
    assert ended(capsys, "compact", broken)[0] == 1
    assert ended(capsys, "resume", broken, "--inline")[0] == 0
    assert digests(broken.parent) == digests(whole)


def test_a_games_file_under_another_name_is_named_and_removed(whole, broken, capsys) -> None:
    for first, last in ((2, 9), (7, 7)):
        path = file_of(broken, "games").with_name(f"shards-{first:06d}-{last:06d}.parquet")
        shutil.copy(file_of(broken, "games"), path)
        code, told = ended(capsys, "verify", broken, "--sample", 0)
        assert code == 1
        assert f"{path.relative_to(broken)}: is of shards that the experiment does not have: it has 5" in told
        assert ended(capsys, "compact", broken)[0] == 1
        path.unlink()
    path = file_of(broken, "games").with_name("shards-000001-000002.parquet")
    shutil.copy(file_of(broken, "games"), path)
    assert ended(capsys, "verify", broken, "--sample", 0)[0] == 1
    code, told = ended(capsys, "resume", broken, "--inline")
    assert code == 0
    assert f"{path.relative_to(broken)}: is the file of shards 1 to 1" in told
    assert digests(broken.parent) == digests(whole)


@pytest.mark.parametrize("name", ["units/mine.parquet", "units/rulebook=barbarossa/000/notes.txt", "events/x"])
def test_a_foreign_file_is_named(broken, capsys, name) -> None:
    shutil.copy(file_of(broken, "units"), broken / name)
    code, told = ended(capsys, "verify", broken, "--sample", 0)
    assert code == 1
    assert f"{broken}: {name}: does not belong here" in told


def _without_a_row(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)


CELLS: dict[str, Callable[[Path], object]] = {
    "missing": Path.unlink,
    "edited": _without_a_row,
    "page": lambda path: flip(path, 30),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-50]),
    "empty": lambda path: path.write_bytes(b""),
}


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("damage", CELLS)
def test_the_table_of_cells_is_written_anew(whole, broken, capsys, damage, complete) -> None:
    CELLS[damage](broken / "cells.parquet")
    if not complete:
        unfinished(broken)
    code, told = ended(capsys, "verify", broken, "--sample", 0)
    assert code == 1
    assert f"{broken}: cells.parquet: " in told
    code, told = ended(capsys, "resume", broken, "--inline")
    assert code == 0
    assert "cells.parquet is not what the plan says and is written anew" in told
    assert digests(broken.parent) == digests(whole)


@pytest.mark.slow
@pytest.mark.parametrize("table", [*TABLES, "cells"])
def test_any_byte_before_it_is_complete(whole, broken, capsys, table) -> None:
    chance = random.Random(table)
    path = broken / "cells.parquet" if table == "cells" else file_of(broken, table)
    sound = path.read_bytes()
    places = {*chance.sample(range(len(sound)), 25), *range(len(sound) - 12, len(sound))}
    unfinished(broken)
    manifest = (broken / "manifest.json").read_bytes()
    for place in sorted(places):
        flip(path, place, 1 << chance.randrange(8))
        (broken / "manifest.json").write_bytes(manifest)
        code, told = ended(capsys, "resume", broken, "--inline")
        assert code == 0, (place, told)
        assert sha256(path) == sha256(whole / path.relative_to(broken.parent)), place


@pytest.mark.slow
@pytest.mark.parametrize("table", [*TABLES, "cells"])
def test_any_byte_after_it_is_complete(broken, capsys, table) -> None:
    chance = random.Random(table)
    path = broken / "cells.parquet" if table == "cells" else file_of(broken, table)
    sound = path.read_bytes()
    places = {*chance.sample(range(len(sound)), 40), *range(footer(path), len(sound), 60), len(sound) - 6}
    for place in sorted(places):
        flip(path, place, 1 << chance.randrange(8))
        code, told = ended(capsys, "verify", broken, "--sample", 0)
        assert code == 1, (place, told)
        assert path.relative_to(broken).as_posix() in told
        path.write_bytes(sound)


DOCUMENTS = ("manifest.json", "inputs/plan.json", "rounds/1.json", "failures/shard-000001.json")
COMMANDS = (("status",), ("verify", "--sample", "0"), ("resume", "--inline"), ("compact",), ("prune", "--keep", "1"))


@pytest.fixture
def described(broken) -> Path:
    """The same with a round and a report."""
    file = broken.parent.with_name("small.toml")
    write_small(file.parent, replications=25)
    file.write_text(file.read_text().replace("cost = 100", "cost = 400"))
    assert cli.run(["run", str(file), "--archive", str(broken.parent), "--inline"]) == 0
    report = {"shard": 1, "published": True, "failed": 1, "games": [{"replay": "duosuan play x"}]}
    (broken / "failures").mkdir()
    (broken / DOCUMENTS[3]).write_text(json.dumps(report))
    return broken


def _check_commands(capsys: pytest.CaptureFixture[str], folder: Path, document: str, place: object) -> None:
    # Reports are read by `status` alone; the others find them by their names.
    for command, *options in COMMANDS[: 1 if "failures" in document else None]:
        before = (folder / document).read_bytes()
        code, told = ended(capsys, command, folder, *options)
        assert code in (0, 1, 2), (document, place, command, told)
        assert "Traceback" not in told
        # One line, and behind those of `verify` how many there were.
        if code:
            assert document in told, (place, command, told)
            assert len(told.splitlines()) <= 2, (place, command, told)
        (folder / document).write_bytes(before)


VALUES = {
    "manifest.json": [("schema_version", "1"), ("created", 7), ("created", "yesterday"), ("label", None), ("games", 7),
                      ("games", -1), ("digests", []), ("digest", "ab" * 32), ("complete", "yes"), ("id", "x"),
                      ("until", {}), ("cells", True), ("name", "../x")],
    "inputs/plan.json": [("replications", 7), ("replications", -1), ("cells", []), ("shard_seconds", 0), ("seed", "x")],
    "rounds/1.json": [("games", 7), ("games", None), ("added", 3), ("added", []), ("added", [{}]), ("until", 4),
                      ("added", [{"first_cell": 0, "last_cell": 10**12, "first": 24, "end": 25}]),
                      ("added", [{"first_cell": 0, "last_cell": 3, "first": 25, "end": 24}])],
    "failures/shard-000001.json": [("shard", "1"), ("failed", None), ("games", {}), ("games", [{}])],
}  # fmt: skip


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_with_a_wrong_value_is_named(described, capsys, document) -> None:
    sound = (described / document).read_bytes()
    contents = [json.dumps({**json.loads(sound), key: value}) for key, value in VALUES[document]]
    contents += ["", "[]", "7", '"x"', "{}", '{"a":', "\x00", sound.decode()[:-20]]
    contents += [
        json.dumps({key: it for key, it in json.loads(sound).items() if key != gone}) for gone in ("games", "id")
    ]
    for content in contents:
        (described / document).write_text(content)
        _check_commands(capsys, described, document, content[:80])


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS)
def test_any_byte_of_a_document(described, capsys, document) -> None:
    chance = random.Random(document)
    sound = (described / document).read_bytes()
    for place in sorted(chance.sample(range(len(sound)), min(len(sound), 60))):
        flip(described / document, place, chance.randrange(1, 256))
        _check_commands(capsys, described, document, place)
        (described / document).write_bytes(sound)


def test_a_damaged_experiment_hides_no_other(described, capsys) -> None:
    archive = described.parent
    for number in (1, 2):
        shutil.copytree(described, archive / described.name.replace("small", f"a{number}"))
    for number in (1, 2):
        (archive / described.name.replace("small", f"a{number}") / "inputs/plan.json").write_text("{")
    flip(file_of(described, "turns"), 100)
    for command in (("status",), ("verify", "--sample", "0"), ("compact",)):
        code, told = ended(capsys, command[0], archive, *command[1:])
        assert code == 1
        assert all(f"small-{described.name[-8:]}".replace("small", f"a{number}") in told for number in (1, 2))
        assert ("shards-000001-000001.parquet: has changed" in told) == (command[0] != "status")
    assert ended(capsys, "status", archive, "--json")[0] == 1


def test_an_input_is_checked_before_it_is_run(broken, capsys, tmp_path) -> None:
    witness = tmp_path / "it ran"
    cells = json.loads((broken / "inputs/plan.json").read_text())["cells"]
    path = broken / "inputs" / f"{cells[0]['inputs']['blue']}.json"
    document = json.loads(path.read_text())
    code = f"from pathlib import Path\nPath({str(witness)!r}).touch()\n"
    path.write_text(json.dumps({**document, "policy": "mine", "sources": {"mine.py": code}, "main": "mine.py"}))
    game = ("--cell", 0, "--replication", 0)
    for words in (
        ("resume", broken, "--inline"), ("verify", broken), ("status", broken), ("compact", broken),
        ("replay", broken, *game), ("fork", broken, *game, "--turn", 3), ("turning-points", broken, *game),
    ):  # fmt: skip
        code, told = ended(capsys, *words)
        assert code == 1, words
        assert f"{path}: does not have the hash in its name" in told
    assert not witness.exists()


def test_a_name_in_the_plan_leads_nowhere_else(broken, capsys, tmp_path) -> None:
    from cluster.plan import Plan

    path = broken / "inputs/plan.json"
    plan = json.loads(path.read_text())
    name = plan["cells"][0]["inputs"]["blue"]
    (tmp_path / f"{name}.json").write_text((broken / f"inputs/{name}.json").read_text())
    plan["cells"][0]["inputs"]["blue"] = f"../../../{name}"
    path.write_text(json.dumps(plan))
    manifest = json.loads((broken / "manifest.json").read_text())
    (broken / "manifest.json").write_text(json.dumps({**manifest, "id": Plan.model_validate(plan).id}))
    code, told = ended(capsys, "verify", broken)
    assert code == 1
    assert f"names an input '../../../{name}', which is none of ours" in told


@pytest.mark.parametrize("content", ["{", "{}", "[]", '{"cells": 7}'])
def test_a_damaged_neighbour_does_not_keep_an_experiment_from_being_new(broken, capsys, tmp_path, content) -> None:
    (broken / "inputs/plan.json").write_text(content)
    file = write_small(tmp_path, replications=1, keys='label = "another"')
    code, told = ended(capsys, "run", file, "--archive", broken.parent, "--inline")
    assert code == 0, told
    assert f"differs from {broken.name} in (it is damaged: " in told
