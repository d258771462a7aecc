"""Rounds in an archive: each is stored before it is played, and whatever happens the same games are there at last."""

import json
import re
import signal
from collections import Counter
from pathlib import Path

import pytest

import queries
from cluster import RunFailed, cli
from cluster.archive import open_experiment
from cluster.dispatch import Options
from cluster.rounds import scores_of
from cluster.run import resume, run
from cluster.status import show_plan, show_status
from cluster.store import store_of
from cluster.verify import verify
from sim.rules_file import BadInput
from tests.archive.conftest import digests, only_experiment, run_call

INLINE = Options(inline=True)
UNTIL = 'until = { measure = "payoff", half_width = 0.06, at_most = 150 }\nrecord = "turns"'

POINTS = [
    *(f"{when}-rename-round:{n}" for n in (1, 2) for when in ("before", "after")),
    "before-rename-games:7",
    "after-rename-games:6",
    "before-rename-manifest:3",
    "before-rename-manifest:5",
]
FAST = {"after-rename-round:2"}


@pytest.fixture(scope="module")
def in_rounds(elsewhere, tmp_path_factory) -> Path:
    """An archive with the small experiment, to which rounds have been added; not to be touched."""
    from tests.archive.conftest import write_small

    folder = tmp_path_factory.mktemp("rounds")
    ended = elsewhere.run(write_small(folder, 40, UNTIL), folder / "archive")
    assert ended.code == 0, ended.text
    return folder / "archive"


def test_a_report_says_how_many_cells_have_games_enough(in_rounds, capsys) -> None:
    for form in ("--json", "--markdown"):
        assert cli.run(["report", str(in_rounds), form]) == 0
        said = capsys.readouterr().out
        assert re.search(r"cells have games enough; [\d,]+ games, where equal numbers for all cells would take", said)


def documents(archive: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(only_experiment(archive).glob("rounds/*.json"))}


def test_each_cell_has_the_games_that_it_needs(in_rounds, capsys) -> None:
    stored = open_experiment(store_of(only_experiment(in_rounds)))
    ends = stored.replications
    assert min(ends) < max(ends) <= 150
    with queries.open(str(in_rounds)) as archive:
        rows = archive.sql("select cell, count(*), max(replication) + 1 from games group by all order by all")
        assert rows.fetchall() == [(cell, n, n) for cell, n in enumerate(ends)]
        assert archive.notes == []
        assert archive.sql("select complete from experiments").fetchall() == [(True,)]
    verify(str(in_rounds), 1)
    show_status(str(in_rounds), as_json=False)
    told = capsys.readouterr().out
    assert f"{sum(ends):,} of {sum(ends):,} games" in told
    assert "until half_width 0.06 of payoff: " in told
    show_status(str(in_rounds), as_json=True)
    (found,) = json.loads(capsys.readouterr().out)
    assert found["complete"]
    assert found["until"]["games_if_equal"] == 4 * max(ends)
    assert [judged["cells"] for judged in found["until"]["judged"]] == [[0], [1], [2], [3]]


def test_a_round_says_why_and_what_it_adds(in_rounds) -> None:
    stored = open_experiment(store_of(only_experiment(in_rounds)))
    first = json.loads(documents(in_rounds)["1.json"])
    assert first["until"] == {"measure": "payoff", "half_width": 0.06, "at_most": 150}
    assert first["games"] == stored.rounds[1].games
    assert {added["first"] for added in first["added"]} == {40}
    assert max(added["end"] for added in first["added"]) == 60
    assert len(documents(in_rounds)) == len(stored.rounds) - 1


@pytest.mark.parametrize("point", [pytest.param(p, marks=[] if p in FAST else [pytest.mark.slow]) for p in POINTS])
def test_killed_and_resumed_it_ends_with_the_same_games(elsewhere, small, in_rounds, tmp_path, point) -> None:
    archive = tmp_path / "archive"
    killed = elsewhere.run(small(40, UNTIL), archive, DUOSUAN_FAULT=point)
    assert killed.code == -signal.SIGKILL, killed.text
    again = elsewhere.resume(only_experiment(archive))
    assert again.code == 0, again.text
    assert digests(archive) == digests(in_rounds)
    assert documents(archive) == documents(in_rounds)


@pytest.mark.slow
def test_between_two_rounds_it_is_not_complete(elsewhere, small, in_rounds, tmp_path, capsys) -> None:
    archive = tmp_path / "archive"
    assert elsewhere.run(small(40, UNTIL), archive, DUOSUAN_FAULT="before-rename-round:1").code == -signal.SIGKILL
    show_status(str(archive), as_json=True)
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["complete"], found["games_played"], found["games"]) == (False, 160, 160)
    with queries.open(str(archive)) as opened:
        assert opened.notes == [f"{opened.experiments[0].key}: the last round is there, and another may follow"]
        assert opened.sql("select complete from experiments").fetchall() == [(False,)]


@pytest.mark.slow
def test_two_runs_at_once_add_the_same_rounds(elsewhere, small, in_rounds, tmp_path) -> None:
    archive = tmp_path / "archive"
    both = [elsewhere.start(run_call(small(40, UNTIL), archive)) for _ in range(2)]
    assert [started.end().code for started in both] == [0, 0]
    assert digests(archive) == digests(in_rounds)
    assert documents(archive) == documents(in_rounds)


@pytest.mark.slow
def test_what_is_asked_may_change_and_the_games_stay(elsewhere, small, in_rounds, tmp_path) -> None:
    archive = tmp_path / "archive"
    assert elsewhere.run(small(40, 'record = "turns"'), archive).code == 0
    plain = digests(archive)
    assert plain.items() <= digests(in_rounds).items()
    with pytest.raises(BadInput, match=r"until: is not that of .*: `duosuan run` goes on until then"):
        resume(small(40, UNTIL), archive, INLINE)
    assert elsewhere.run(small(40, UNTIL), archive).code == 0
    assert digests(archive) == digests(in_rounds)
    resumed = elsewhere.call(f"resume(Path({str(small(40, UNTIL))!r}), Path({str(archive)!r}), Options(inline=True))")
    assert resumed.code == 0, resumed.text
    assert "0 of" in resumed.text
    with pytest.raises(BadInput, match=r"replications: 40 is less than the \d+ that .* has already"):
        run(str(small(40, 'record = "turns"')), archive, INLINE, 1)


def test_a_damaged_round_is_named(in_rounds, tmp_path) -> None:
    import shutil

    shutil.copytree(in_rounds, tmp_path / "damaged")
    file = only_experiment(tmp_path / "damaged") / "rounds/1.json"
    document = json.loads(file.read_text())
    document["added"][0]["first"] += 1
    file.write_text(json.dumps(document))
    with pytest.raises(RunFailed, match=r"rounds/1.json: does not go on where the round before ends"):
        open_experiment(store_of(file.parent.parent))


def test_a_plan_tells_the_least_and_the_most(small, capsys) -> None:
    show_plan(str(small(40, UNTIL)), 1, as_json=False)
    assert "160 to 600: 40 replications of each cell, then rounds" in capsys.readouterr().out
    show_plan(str(small(40, UNTIL)), 1, as_json=True)
    planned = json.loads(capsys.readouterr().out)
    assert (planned["games"], planned["games_at_most"]) == (160, 600)
    assert planned["core_seconds_at_most"] == pytest.approx(planned["core_seconds"] * 600 / 160, abs=0.3)
    with pytest.raises(BadInput, match=r"would take about .*: record = \"games\" takes"):
        show_plan(str(small(40, UNTIL.replace("150", "150_000_000"))), 1, as_json=True)


PAIRS = """
name = "pairs"
seed = 7
replications = 20
record = "games"
until = { pairs = { elo0 = 0, elo1 = 100 }, at_most = 60 }
[[play]]
scenarios = ["tank_hex/meeting_engagement"]
blue = ["rush", "random"]
red = ["rush", "random"]
"""


@pytest.mark.slow
def test_scores_of_pairs_are_those_of_both_games(tmp_path, capsys) -> None:
    (tmp_path / "pairs.toml").write_text(PAIRS)
    folder = run(str(tmp_path / "pairs.toml"), tmp_path / "archive", INLINE, 1)
    stored = open_experiment(folder)
    assert stored.until
    (found,) = scores_of(stored, stored.until)
    sql = "select replication, case winner when 'blue' then 1 when 'draw' then 0.5 else 0 end from games where cell = "
    with queries.open(str(folder)) as archive:
        there, back = (dict(archive.sql(f"{sql}{cell}").fetchall()) for cell in (1, 2))
    assert found == Counter(float(there[number] + 1 - back[number]) / 2 for number in there)
    assert sum(found.values()) == stored.replications[1] == stored.replications[2]
    capsys.readouterr()
    show_status(str(folder), as_json=False)
    assert "    tank_hex/meeting_engagement: rush against random: Elo +" in capsys.readouterr().out
