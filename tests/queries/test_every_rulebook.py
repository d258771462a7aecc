"""One archive with games of every rulebook, asked everything: nothing gets mixed up, sums are those of their parts."""

import html
import re
import shlex
from collections import defaultdict

import pytest

import queries
import sim
from cluster import cli, one_game
from queries import questions
from queries.report import page
from queries.report.gather import gather
from queries.tell import tell
from tests import first_contact_games, tank_hex_games
from tests.queries.conftest import rows_of
from tests.rulebooks import part_of, with_part

FORWARD = dict(first_contact_games.FORWARD)
ABOUT_ONE = re.compile(r"\? \((?P<titles>[^()]+)\)$")


def rulebooks_asked(name):
    """The rulebooks that a question is about: those whose titles end what it asks, by their first words; else all."""
    found = ABOUT_ONE.search(questions.find(name).asks)
    titles = found["titles"].split(", ") if found else [""]
    return [it for it in sim.RULEBOOKS if any(sim.rulebook(it).title.startswith(title) for title in titles)]


def has_losses(rulebook):
    """Whether games of a rulebook count men or armour lost."""
    names = {field.name for field in sim.rulebook(rulebook).tables.games}
    return {"red_men_lost", "blue_men_lost"} <= names or {"red_armour_lost", "blue_armour_lost"} <= names


def answering(name, archive):
    """The rulebooks whose games a question has an answer from."""
    asked = rulebooks_asked(name)
    if name == "loss_exchange_ratio":
        return list(filter(has_losses, asked))
    if name == "first_parting":  # of two cells of a scenario
        several = "select rulebook from cells group by rulebook, scenario having count(*) > 1"
        return [it for it in asked if (it,) in archive.sql(several).fetchall()]
    return asked


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("all")
    plays = "".join(part_of(rulebook, "games").EXPERIMENT for rulebook in with_part("games"))
    (folder / "all.toml").write_text(f'name = "all"\nseed = 3\nreplications = 3\n{plays}')
    assert cli.run(["run", str(folder / "all.toml"), "--archive", str(folder / "archive"), "--inline"]) == 0
    return folder / "archive"


@pytest.fixture(scope="module")
def archive(folder):
    with queries.open(str(folder)) as opened:
        yield opened


def by_game(rows, key, value):
    """The sum of a value over the rows with the same key."""
    sums = defaultdict(int)
    for row in rows:
        sums[key(row)] += value(row)
    return {found: total for found, total in sums.items() if total}


@pytest.mark.parametrize("name", questions.names())
def test_a_question_answers_for_the_rulebooks_that_it_concerns(archive, name):
    rows = rows_of(archive.question(name))
    assert sorted({row["scenario"].partition("/")[0] for row in rows}) == sorted(answering(name, archive))


@pytest.mark.parametrize("name", questions.names())
def test_the_columns_are_those_that_the_head_explains(archive, name):
    relation = archive.question(name)
    explained = [word for columns, _ in questions.find(name).columns for word in columns.split(", ")]
    assert [column for column in relation.columns if not column.startswith("scenario.")] == explained


@pytest.mark.parametrize("by", ["weapon,shooter,target,facing,range", "height,terrain,suppressed", ""])
def test_kills_of_armour_are_the_vehicles_lost(archive, by):
    kills = rows_of(archive.question("armour_kill_rates", by=by))
    lost = rows_of(archive.sql("select cell, red_armour_lost, blue_armour_lost from games"))
    assert by_game(kills, lambda row: (row["cell"], row["side"]), lambda row: row["kills"]) == {
        **by_game(lost, lambda row: (row["cell"], "red"), lambda row: row["red_armour_lost"] or 0),
        **by_game(lost, lambda row: (row["cell"], "blue"), lambda row: row["blue_armour_lost"] or 0),
    }
    assert kills


@pytest.mark.parametrize("by", ["kind", "cause", "kind,cause,terrain"])
def test_casualties_told_apart_add_up_to_all(archive, by):
    rows = [row for row in rows_of(archive.question("casualties", by=by)) if row["mean"]]
    is_all = [row["kind"] == row["cause"] == row["terrain"] == "all" for row in rows]

    def losses(wanted):
        sums = defaultdict(float)
        for row, whole in zip(rows, is_all, strict=True):
            if whole == wanted:
                sums[row["cell"], row["side"], row["loss"], row["turn"]] += row["mean"]
        return sums

    assert losses(False) == pytest.approx(losses(True))
    assert any(is_all)


def test_every_roll_of_tank_hex_has_the_result_of_its_table(archive):
    rows = rows_of(archive.question("fire_outcomes"))
    assert not any(row["wrong"] for row in rows)
    for table in ("direct", "indirect"):
        mine = [row for row in rows if row["result_table"] == table]
        (rolls,) = archive.sql(
            "select count(*) from events where fate = 'rolled' and (weapon = '85mm') = "
            + ("true" if table == "direct" else "false")
        ).fetchall()[0]
        assert sum(row["n"] for row in mine) == sum(row["final"] for row in mine) == rolls > 0


def test_barrages_cost_what_casualties_say(archive):
    struck = [row for row in rows_of(archive.question("barrage_effect")) if row["kind"] == "squad"]
    dead = rows_of(archive.question("casualties", by="cause", turn=15))
    assert sum(row["dead"] / row["games"] for row in struck) == pytest.approx(
        sum(row["mean"] for row in dead if (row["cause"], row["loss"]) == ("barrage", "dead"))
    )


@pytest.mark.parametrize(
    ("scenario", "red", "blue", "settings"),
    [
        ("tank_hex/village_assault", tank_hex_games.ANYTHING, tank_hex_games.ANYTHING, {"options.rings_linger": True}),
        ("tank_hex/random_7", tank_hex_games.ANYTHING, tank_hex_games.ANYTHING, {}),
        ("first_contact/prokhorovka", "random", "random", FORWARD),
    ],
)
def test_whoever_is_lost_is_told_in_that_turn(scenario, red, blue, settings):
    story = one_game.play(one_game.prepare(scenario, blue, red, settings), seed=7, replication=0)
    chapters, _ = tell(scenario.partition("/")[0], story)
    assert [chapter.turn for chapter in chapters] == list(range(story.game["turns"] + 1))
    gone = {0: set()}
    for chapter in chapters[1:]:
        gone[chapter.turn] = {
            row["unit"]
            for row in story.units
            if row["turn"] == chapter.turn and (row.get("destroyed") or row.get("status") == "gone")
        }
        fates = "destroyed|wiped out"
        told = [line for section in chapter.sections for line in section.lines if re.search(fates, line)]
        for unit in gone[chapter.turn] - gone[chapter.turn - 1]:
            assert any(unit in line for line in told), f"{unit} in turn {chapter.turn}"
    assert gone[story.game["turns"]]


def test_the_archive_is_verified(folder, capsys):
    assert cli.run(["verify", str(folder), "--sample", "0"]) == 0
    with queries.open(str(folder)) as opened:
        ((games,),) = opened.sql("select count(*) from games").fetchall()
    assert f"{games} games checked" in capsys.readouterr().out


def test_report_shows_what_each_rulebook_has(folder):
    report, boards = gather(str(folder))
    scenarios = {it.name: it for it in report.experiments[0].scenarios}
    blue, farm = scenarios["barbarossa/blue"], scenarios["first_contact/prokhorovka"]
    village = scenarios["tank_hex/village_assault"]
    assert {it.measure for it in blue.casualties.courses} == {"units_lost"}
    assert {it.measure for it in farm.casualties.courses} == {"dead", "wounded", "armour_lost", "crew_lost"}
    assert {it.measure for it in farm.territory.courses} == {"sector", "objective"}
    assert (blue.armour, blue.objectives, blue.exchanges) == (None, None, None)
    assert all(it.armour and it.objectives and it.exchanges for it in (farm, village))
    assert farm.holders.places[:2] == ("A1", "A2")
    assert blue.turns[13] == "S45"
    drawn = page.html(report, boards)
    assert drawn.count('class="map"') == sum(len(it.holders.turns) for it in scenarios.values())
    assert all(title in drawn for title in (blue.title, farm.title, village.title))


def test_commands_of_a_report_run(folder, capsys):
    """What stands under the figures is asked again, and of the games named there one of each cell is replayed."""
    report, boards = gather(str(folder))
    codes = map(html.unescape, re.findall(r"<code>(.*?)</code>", page.html(report, boards)))
    commands = {line.partition(" --replication")[0]: line for line in codes if line.startswith("duosuan ")}.values()
    assert {line.split()[1] for line in commands} == {"query", "replay"}
    assert len(commands) > 20
    failed = {line: capsys.readouterr().err for line in commands if cli.run(shlex.split(line)[1:]) != 0}
    assert failed == {}
