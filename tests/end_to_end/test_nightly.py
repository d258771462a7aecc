"""Nights as a scheduler starts them: played, compared, reported, told of."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq
import pytest
import yaml
from typer.testing import CliRunner

from cluster import cli
from cluster.experiment import read
from cluster.nightly import of_night
from tests.nights import Listener, Nights, listening


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as server:
        yield server


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path)


def test_a_first_night_and_one_like_it(nights, capsys):
    assert nights.play("2026-05-01") == 0
    assert nights.told("2026-05-01")["drifts"] == {}
    assert nights.play("2026-05-02") == 0
    (drift,) = nights.told("2026-05-02")["drifts"].values()
    assert (drift["alarms"], drift["same_dice"]) == (0, False)
    for page in ("report.html", "report.md", "report.json", "drift.html", "drift.md"):
        assert (nights.reports / "2026-05-02" / page).stat().st_size > 100
    index = (nights.reports / "index.html").read_text()
    assert index.index("2026-05-02/report.html") < index.index("2026-05-01/report.html")
    assert "<svg" in index
    assert "report: " in capsys.readouterr().out


def test_a_policy_that_changed_is_an_alarm(nights, capsys):
    nights.write(dice="same")
    assert nights.play("a") == 0
    nights.write(dice="same", policy="hold")
    assert nights.play("b") == 3
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("drift from"))
    assert re.search(
        r"drift from the night of a: barbarossa/uranus, blue axis, red easy: \w+ [\d.]+ -> [\d.]+ .*n 30", line
    )
    (drift,) = nights.told("b")["drifts"].values()
    assert drift["same_dice"]
    assert "<b>alarm</b>" in (nights.reports / "b" / "drift.html").read_text()
    # As it has been since: no alarm against the night before, one against the night that everyone liked.
    assert nights.play("c") == 0
    assert nights.play("d", "--baseline", "a") == 3
    assert [found["alarms"] > 0 for found in nights.told("d")["drifts"].values()] == [False, True]


def test_a_night_whose_games_come_out_otherwise_has_failed(nights, listener, capsys):
    nights.write(more="verify = 30")
    assert nights.play("a") == 0
    (folder,) = nights.archive.glob("experiment=*")
    (games,) = folder.glob("games/*/*/*.parquet")
    rows = pq.ParquetFile(games).read()
    margin = rows.schema.get_field_index("margin")
    rows = rows.set_column(
        margin, rows.schema.field(margin), pa.compute.add(rows["margin"], 1).cast(rows["margin"].type)
    )
    pq.write_table(rows, games)
    capsys.readouterr()
    assert nights.play("a", "--webhook", listener.url) == 1
    *_, last = capsys.readouterr().err.splitlines()
    assert last.startswith(
        f"error: {folder}: cell 0, replication 0: comes out otherwise when it is played again: games, "
    )
    assert last.endswith("; and 29 more of 30")
    (notice,) = listener.heard
    assert notice["alarms"] == [last.removeprefix("error: ")]
    assert (notice["state"], notice["line"], notice["exit_code"]) == ("failed", last.removeprefix("error: "), 1)
    assert nights.told("a")["state"] == "failed"
    assert (nights.reports / "a" / "report.html").exists()
    nights.write(more="verify = 0")
    assert nights.play("a") == 0


def test_each_night_plays_other_games_again(nights, monkeypatch):
    chosen = []

    def watched(stored, few):
        chosen.append([(each.piece.cell, each.piece.first, each.piece.count) for each in few])
        return iter(())

    monkeypatch.setattr("cluster.verify.other_rows", watched)
    nights.write(dice="same", more="verify = 5")
    for label in ("a", "b", "b"):
        assert nights.play(label) == 0
    first, second, again = chosen
    assert sum(count for _, _, count in first) == 5
    assert first != second == again


def test_a_tolerance_lets_a_change_pass(nights):
    wide = "tolerance = { payoff = 1.0, blue_territory = 9.0, blue_men_lost = 9.0, blue_armour_lost = 9.0 }"
    nights.write(dice="same", more=wide)
    assert nights.play("a") == 0
    nights.write(dice="same", policy="hold", more=wide)
    assert nights.play("b") == 0


def test_a_night_that_broke_off_goes_on_after_the_next(nights, capsys):
    assert nights.play("2026-05-01") == 0
    shard = nights.break_off("2026-05-01")
    capsys.readouterr()
    assert nights.play("2026-05-02") == 0
    assert shard.exists()
    out, err = capsys.readouterr()
    assert "the night of 2026-05-01 is not complete" in err
    assert out.index("2026-05-02/report.html") < out.index("2026-05-01/report.html")
    assert nights.told("2026-05-02")["drifts"] == {}
    first = nights.told("2026-05-01")
    assert (first["state"], first["tries"], first["games"]) == ("complete", 1, 30)
    assert nights.play("2026-05-03") == 0
    (drift,) = nights.told("2026-05-03")["drifts"].values()
    assert drift["differences"][0]["n"] == 30


def test_the_same_night_again_is_not_compared_with_itself(nights):
    assert nights.play("a") == 0
    assert nights.play("a") == 0
    assert nights.told("a")["drifts"] == {}


def test_old_nights_go_but_the_baseline(nights):
    for label in "abcd":
        assert nights.play(label, "--keep", "2", *(["--baseline", "a"] if label > "a" else [])) in (0, 3)
    labels = [json.loads(path.read_text())["label"] for path in nights.archive.glob("*/manifest.json")]
    assert sorted(labels) == ["a", "c", "d"]
    index = (nights.reports / "index.html").read_text()
    assert all(f"{label}/report.html" in index for label in "abcd")


def test_findings_are_told(nights, listener):
    url = listener.url
    nights.write(dice="same")
    assert nights.play("a", "--webhook", url) == 0
    nights.write(dice="same", policy="hold")
    assert nights.play("b", "--webhook", url) == 3
    first, second = listener.heard
    assert first == {
        "experiment": "night",
        "night": "a",
        "state": "complete",
        "line": "30 games, 0 of them failed; alarms: 0",
        "exit_code": 0,
        "alarms": [],
        "notes": [],
        "report": str(nights.reports / "a" / "report.html"),
    }
    assert (second["state"], second["exit_code"]) == ("complete", 3)
    assert second["experiment"] == "night"
    assert second["alarms"][0].startswith("drift from the night of a: ")


def test_a_notice_that_is_not_heard_does_not_matter(nights, monkeypatch, capsys):
    monkeypatch.setattr("cluster.notice.PAUSES", (0, 0))
    assert nights.play("a", "--webhook", "http://127.0.0.1:9/nobody") == 0
    assert "the notice could not be sent, in 2 tries: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("label", "more", "message"),
    [
        ("../elsewhere", [], "'../elsewhere' cannot name a folder"),
        ("", [], "'' cannot name a folder"),
        (" ", [], "' ' cannot name a folder"),
        ("a" * 300, [], f"'{'a' * 57}...' cannot name a folder"),
        ("b", ["--keep", "1"], "invalid value for '--keep'"),
        ("b", ["--baseline", "never"], "there is no complete night 'never'"),
        ("b", ["--webhook", "nobody"], "--webhook: 'nobody' is no address"),
    ],
)
def test_bad_options(nights, capsys, label, more, message):
    assert nights.play(label, *more) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("error: ")
    assert message in said
    assert not nights.archive.exists() or not list(nights.archive.iterdir())


def test_an_unknown_measure_is_refused(nights, capsys):
    nights.write(more="tolerance = { payof = 0.1 }")
    assert nights.play("a") == 2
    said = capsys.readouterr().err.strip()
    assert said == (
        f"error: {nights.file}: night.tolerance.payof: there is no such measure: use payoff, blue_territory, "
        "red_men_lost, blue_men_lost, red_armour_lost or blue_armour_lost (did you mean payoff?)"
    )


@pytest.mark.parametrize(
    ("dice", "policy", "more", "keys"),
    [
        ("new", "steady", "", "seed, label"),
        ("same", "steady", "", "label"),
        ("same", "steady", "verify = 5", "label"),
        ("same", "hold", "verify = 5", "label, policies.axis.policy"),
    ],
)
def test_a_night_says_in_what_it_differs(nights, capsys, dice, policy, more, keys):
    nights.write(dice=dice, more="verify = 0")
    assert nights.play("a") == 0
    (folder,) = nights.archive.glob("experiment=*")
    capsys.readouterr()
    nights.write(dice=dice, policy=policy, more=more)
    assert nights.play("b") in (0, 3)
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("a new experiment")]
    assert said == [f"a new experiment: differs from {folder.name} in {keys}"]


def test_nights_roll_dice_of_their_own_or_the_same(nights):
    seeds = {of_night(read(str(nights.file)), label).experiment.seed for label in "abc"}
    assert len(seeds) == 3
    nights.write(dice="same")
    assert {of_night(read(str(nights.file)), label).experiment.seed for label in "abc"} == {5}


FILES = Path(__file__).parents[2] / "configs" / "nights"


def test_files_for_schedulers_hold_commands_that_there_are():
    """Each file's command, with --help in place of its doing."""
    cron = (FILES / "crontab").read_text().splitlines()[-1]
    service = re.search(r"^ExecStart=(.*)$", (FILES / "duosuan-nightly.service").read_text(), re.MULTILINE)
    job = yaml.safe_load((FILES / "cronjob.yaml").read_text())
    (container,) = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    workflow = yaml.safe_load((FILES / "workflow.yaml").read_text())
    steps = [step["run"] for step in workflow["jobs"]["nightly"]["steps"] if "nightly" in step.get("run", "")]
    assert service
    commands = [cron, service[1], " ".join(container["command"]), *steps]
    assert len(commands) == 4
    for command in commands:
        options = re.findall(r"--[a-z]+", command)
        assert "nightly nightly --" in command
        told = CliRunner().invoke(cli.app, ["nightly", "--help"], env={"COLUMNS": "200"}).output
        assert all(option in told for option in options), command


@pytest.mark.slow
def test_nights_add_games_until_there_are_enough(nights):
    text = nights.file.read_text()
    nights.file.write_text(
        text.replace("replications = 30", "replications = 30\nuntil = { half_width = 0.06, at_most = 200 }")
    )
    assert nights.play("2026-05-01") == 0
    assert nights.play("2026-05-02") == 0
    rounds = [len(list(folder.glob("rounds/*.json"))) for folder in sorted(nights.archive.glob("experiment=*"))]
    assert len(rounds) == 2
    assert min(rounds) > 0
    (drift,) = nights.told("2026-05-02")["drifts"].values()
    payoff = next(found for found in drift["differences"] if found["measure"] == "payoff")
    assert 30 < payoff["n"] <= 200
