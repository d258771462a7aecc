"""The examples of the README run."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "queries/README.md").read_text(encoding="utf-8")
BLOCKS = {
    language: re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    for language in ("python", "sql")
}


@pytest.mark.parametrize("block", BLOCKS["python"])
def test_python_examples_run(small, tmp_path, monkeypatch, block):
    for library, call in (("pandas", ".df()"), ("polars", ".pl()")):
        if call in block:
            pytest.importorskip(library, reason=f"{library} is not installed: this recipe is for those who have it")
    experiment = small()
    experiment.shard(games=[{"replication": 0}], turns=[{"turn": 13, "side": "blue", "territory": 1, "losses": 0}])
    (tmp_path / "archives").mkdir()
    (tmp_path / "archives/demo").symlink_to(experiment.folder.parent)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize("block", BLOCKS["sql"])
def test_sql_examples_run(small, opened, block):
    small()
    assert len(opened().sql(block).columns) > 3


def test_examples_were_found():
    assert len(BLOCKS["python"]) == 4
    assert len(BLOCKS["sql"]) == 3
