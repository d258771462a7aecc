"""What `cluster/README.md` shows works."""

import re
from pathlib import Path

import duckdb

import cluster
from cluster import experiment
from cluster.design import DESIGNS, Design, Factor
from cluster.planner import make_plan

README = (Path(cluster.__path__[0]) / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return found


def test_the_experiment_file(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(block("toml"))
    plan = make_plan(experiment.read(str(tmp_path / "my.toml"))).plan
    # 3 scenarios, 2 policies of blue, 1 of red, 2 x 2 x 3 levels
    assert len(plan.cells) == 3 * 2 * 1 * 12
    assert {cell.blue_policy for cell in plan.cells} == {"hold", "stubborn"}


def test_every_key_of_the_experiment_file_is_explained() -> None:
    text = block("toml")
    for model in (experiment.Experiment, experiment.Play, experiment.NamedPolicy, experiment.Sample, Factor):
        for key in model.model_fields:
            assert re.search(rf"(^|[\[{{. ]){key}\b", text, re.MULTILINE) or f"`{key}`" in README, key


def test_every_design_is_explained() -> None:
    table = README[README.index("| design | its points |") : README.index("Levels that are no numbers")]
    assert set(DESIGNS) <= set(re.findall(r"[a-z_]+", table))
    assert set(Design.model_fields) <= set(re.findall(r"[a-z_]+", table))


def test_the_archive_is_read_without_us(damaged: Path) -> None:
    query = block("sql").replace("archive/experiment=demo-*", str(damaged))
    assert len(duckdb.sql(query).fetchall()) == 11 * 2  # turns 3 to 13, both sides
    # A shard whose games file is not there yet is not there.
    first, *others = sorted(damaged.glob("games/*/*/*.parquet"))
    for path in others:
        path.unlink()
    turns = damaged / "turns" / first.relative_to(damaged / "games")
    alone = f"SELECT turn, side, avg(territory) FROM read_parquet('{turns}') GROUP BY ALL ORDER BY ALL"
    assert duckdb.sql(query).fetchall() == duckdb.sql(alone).fetchall()
