"""One game in so many recorded in full."""

import json

import pyarrow.parquet as pq
import pytest

from cluster.verify import verify
from queries.catalog import TABLES
from tests.archive.conftest import only_experiment


def rows(folder, table: str) -> list[dict]:
    return [
        row for path in sorted(folder.glob(f"{table}/*/*/*.parquet")) for row in pq.ParquetFile(path).read().to_pylist()
    ]


@pytest.mark.parametrize(("record", "everywhere"), [("games", {"games"}), ("turns", {"games", "turns", "territory"})])
def test_sampled_games_have_the_rows_that_they_would_have_in_full(
    elsewhere, small, reference, tmp_path, record, everywhere
) -> None:
    file = small(keys=f'record = "{record}"\nsample = {{ level = "events", every = 30 }}')
    ended = elsewhere.run(file, tmp_path / "archive")
    assert ended.code == 0, ended.text
    folder, full = only_experiment(tmp_path / "archive"), only_experiment(reference)
    for table in TABLES:
        chosen = rows(full, table)
        if table not in everywhere:
            chosen = [row for row in chosen if row["replication"] % 30 == 0]
        assert rows(folder, table) == chosen
    verify(folder, 20)


def test_verify_notices_a_sample_that_is_not_the_one_asked_for(elsewhere, small, tmp_path, capsys) -> None:
    from cluster import RunFailed

    file = small(keys='record = "games"\nsample = { level = "turns", every = 30 }')
    assert elsewhere.run(file, tmp_path / "archive").code == 0
    folder = only_experiment(tmp_path / "archive")
    games = sorted(folder.glob("games/*/*/*.parquet"))[0]
    path = sorted(folder.glob("turns/*/*/*.parquet"))[0]
    table = pq.ParquetFile(path).read()
    kept = table.filter(pq.filters_to_expression([("replication", "!=", 60)]))
    assert kept.num_rows < table.num_rows
    from tests.archive.test_verify import rewrite

    rewrite(folder, "turns", lambda _: kept, shard=0)
    with pytest.raises(RunFailed):
        verify(folder, 0)
    assert "has rows of other games than those that were played" in capsys.readouterr().err
    assert games.exists()
    assert json.loads((folder / "manifest.json").read_text())["complete"]
