"""The report: its numbers against archives worked out by hand, and a page for whatever an archive holds."""

import html
import json
import re
from html.parser import HTMLParser

import pytest

from queries.report import page
from queries.report.gather import gather
from queries.report.model import Number
from tests.browser import in_browser, opened

WIN = {"winner": "blue", "outcome": "blue_clear", "margin": 5}
LOSS = {"winner": "red", "outcome": "red_clear", "margin": -5}
DRAW = {"winner": "draw", "outcome": "draw", "margin": 0}
NASTY = "<script>alert('1')</script>|`*_[x](y)"


@pytest.fixture
def reported(tmp_path):
    def report(**options):
        return gather(str(tmp_path / "archive"), **options)[0]

    return report


def shown(number: Number):
    """A number to three digits."""
    return tuple(None if value is None else round(value, 3) for value in (number.value, number.low, number.high))


def tank_hex(blue, red):
    return {"rulebook": "tank_hex", "scenario": "tank_hex/duel", "red_policy": red, "blue_policy": blue}


@pytest.fixture
def pennies(small):
    """Matching pennies: blue wins if both choose alike. Two games of each pairing, all the same."""
    cells = [tank_hex(blue, red) for blue in ("heads", "tails") for red in ("heads", "tails")]
    experiment = small(cells=cells, replications=2, rulebook="tank_hex", record="games")
    results = [WIN, LOSS, LOSS, WIN]
    experiment.shard(
        games=[{"cell": cell, "replication": r, **result} for cell, result in enumerate(results) for r in (0, 1)]
    )
    return experiment


# Numbers


def test_balance_of_matching_pennies(pennies, reported):
    (experiment,) = reported().experiments
    (scenario,) = experiment.scenarios
    balance = scenario.balance
    # Every replication gives the same half: the bootstrap has no spread, so Wilson's interval of 1 of 2.
    assert shown(balance.uniform) == (0.5, 0.095, 0.905)
    assert balance.uniform.n == 8
    assert shown(balance.value)[0] == 0.5
    assert [(it.policy, it.weight) for it in balance.blue_mixture] == [("heads", 0.5), ("tails", 0.5)]
    assert [(it.policy, it.weight) for it in balance.red_mixture] == [("heads", 0.5), ("tails", 0.5)]
    assert [(it.blue, it.red, it.blue_wins, it.red_wins) for it in balance.pairings] == [
        ("heads", "heads", 2, 0),
        ("heads", "tails", 0, 2),
        ("tails", "heads", 0, 2),
        ("tails", "tails", 2, 0),
    ]
    # Wilson's interval of 2 of 2 begins at 1 - 3.8415 / 5.8415.
    assert shown(balance.pairings[0].payoff) == (1.0, 0.342, 1.0)


def test_value_differs_from_the_average_where_a_policy_is_best(small, reported):
    cells = [tank_hex(blue, red) for blue in ("good", "bad") for red in ("one", "two")]
    experiment = small(cells=cells, replications=2, rulebook="tank_hex", record="games")
    results = [[WIN, WIN], [WIN, DRAW], [LOSS, LOSS], [LOSS, DRAW]]
    games = [{"cell": c, "replication": r, **results[c][r]} for c in range(4) for r in (0, 1)]
    experiment.shard(games=games)
    balance = reported().experiments[0].scenarios[0].balance
    assert balance.uniform.value == (1 + 0.75 + 0 + 0.25) / 4
    assert balance.value.value == 0.75  # red holds the good policy to three quarters with its second
    assert (balance.blue_mixture[0].policy, balance.red_mixture[0].policy) == ("good", "two")
    assert balance.featured == 1


def test_difficulties_of_barbarossa_are_strata(small, reported):
    cells = [{"blue_policy": blue, "red_policy": red} for red in ("easy", "medium") for blue in ("hold", "steady")]
    experiment = small(cells=cells, replications=2, record="games")
    results = [[WIN, WIN], [LOSS, WIN], [LOSS, LOSS], [LOSS, WIN]]
    experiment.shard(games=[{"cell": c, "replication": r, **results[c][r]} for c in range(4) for r in (0, 1)])
    balance = reported().experiments[0].scenarios[0].balance
    assert balance.value is None
    assert balance.red_mixture == ()
    assert [(it.red, it.blue, it.payoff.value, it.payoff.n) for it in balance.best] == [
        ("easy", "hold", 1.0, 2),
        ("medium", "steady", 0.5, 2),
    ]
    # Of two draws of two replications, steady is ahead in the three of four that have the second one.
    assert balance.best[1].how_sure == pytest.approx(0.75, abs=0.03)
    assert balance.featured == 3  # the nearer to even


def test_outcomes_over_all_pairings(pennies, reported):
    outcomes = {it.outcome: it for it in reported().experiments[0].scenarios[0].outcomes}
    assert {name: (it.count, it.share.value, it.share.n) for name, it in outcomes.items()} == {
        "red_clear": (4, 0.5, 8),
        "blue_clear": (4, 0.5, 8),
    }


def test_typical_and_extreme_games_are_named(small, reported):
    experiment = small(replications=4, record="games")
    margins = [9, 1, 0, 2]  # median 1.5, of equals the first
    experiment.shard(games=[{"replication": r, "margin": margin} for r, margin in enumerate(margins)])
    source = reported().experiments[0].scenarios[0].balance.source
    assert [(it.why, it.value, it.replication) for it in source.games] == [("typical", 1, 1), ("extreme", 9, 0)]
    assert source.games[1].command.endswith("experiment=demo-00000001 --cell 0 --replication 0")
    assert source.command.startswith("duosuan query win_rates ")
    assert source.command.endswith(" --param scenario=barbarossa/blue")


def test_effects_are_paired_within_replications(small, reported):
    cells = [{"options.five": "reroll"}, {"options.five": "two_attacks"}]
    experiment = small(cells=cells, replications=3, record="games")
    results = [[LOSS, LOSS, WIN], [WIN, LOSS, WIN]]
    experiment.shard(games=[{"cell": c, "replication": r, **results[c][r]} for c in (0, 1) for r in range(3)])
    scenario = reported().experiments[0].scenarios[0]
    (effect,) = scenario.effects.readings
    assert (effect.factor, effect.base, effect.level, effect.how) == ("options.five", "reroll", "two_attacks", "paired")
    # Differences 1, 0, 0: mean 1/3, deviation 0.5774, so 1/3 +- 4.3027 x 0.5774 / sqrt(3); t = 1, p = 0.4226.
    assert shown(effect.payoff) == (0.333, -1.101, 1.768)
    assert effect.payoff.n == 3
    assert effect.p == pytest.approx(0.4226, abs=1e-4)
    # Variances 1/3 and 1/3 apart, 1/3 of the difference.
    assert effect.reduction == pytest.approx(0.5)
    assert effect.margin.value == pytest.approx(10 / 3)
    assert scenario.base == {"options.five": "reroll"}


def test_factors_varied_all_at_once_are_regressed(small, reported):
    points = [(0.0, 0.0), (1.0, 0.5), (0.25, 1.0), (0.75, 0.25), (0.5, 0.75)]
    cells = [{"doctrine.blue.offence": x, "doctrine.blue.defence": y} for x, y in points]
    experiment = small(cells=cells, replications=2, record="games")
    games = [
        {"cell": c, "replication": r, "margin": round(4 * x - 8 * y) + r, "winner": "blue" if x > y else "red"}
        for c, (x, y) in enumerate(points)
        for r in (0, 1)
    ]
    experiment.shard(games=games)
    effects = reported().experiments[0].scenarios[0].effects
    found = {it.factor.rpartition(".")[2]: it for it in effects.others}
    assert [(it.how, it.base, it.level, it.contexts) for it in found.values()] == [("regression", "0", "1", 5)] * 2
    assert found["offence"].margin.value == pytest.approx(4)
    assert found["defence"].margin.value == pytest.approx(-8)


def test_two_factors_together(small, reported):
    grid = [(five, allies) for five in ("reroll", "two_attacks") for allies in (1, 2)]
    experiment = small(
        cells=[{"options.five": five, "doctrine.red.allies": allies} for five, allies in grid], replications=3,
        record="games",
    )  # fmt: skip
    # Only both together win, two games of three; the first alone wins the first game.
    wins = [[], [], [0], [0, 1, 2]]
    experiment.shard(
        games=[{"cell": c, "replication": r, **(WIN if r in wins[c] else LOSS)} for c in range(4) for r in range(3)]
    )
    effects = reported().experiments[0].scenarios[0].effects
    (found,) = effects.interactions
    assert (found.factors, found.levels) == (("options.five", "doctrine.red.allies"), ("two_attacks", "2"))
    # Differences of differences 0, 1, 1.
    assert (found.payoff.value, found.payoff.n, found.contexts) == (pytest.approx(2 / 3), 3, 1)
    assert effects.interactions_tested == 1
    # In thirds of wins 0, 0, 1, 3: effects 4 and 2 and together 2, squared and summed 24; of dice nothing is known.
    assert [it.factor for it in effects.indices] == ["options.five", "doctrine.red.allies"]
    assert effects.explained == 1


def test_many_factors_varied_at_once_have_interactions_and_indices(small, reported):
    points = [(x, y) for x in (0.0, 0.3, 0.7, 1.0) for y in (0.1, 0.4, 0.6, 0.9)]
    cells = [{"doctrine.blue.offence": x + y / 1000, "doctrine.blue.defence": y + x / 100} for x, y in points]
    experiment = small(cells=cells, replications=4, record="games")
    games = [
        {"cell": c, "replication": r, "margin": 0, "winner": "blue" if x * (1 + y) > (r + 1) / 3 else "red"}
        for c, (x, y) in enumerate(points)
        for r in range(4)
    ]
    experiment.shard(games=games)
    report = reported()
    effects = report.experiments[0].scenarios[0].effects
    assert [it.factor.rpartition(".")[2] for it in effects.others] == ["offence", "defence"]
    assert effects.others[0].standard > effects.others[1].standard > 0
    (found,) = effects.interactions
    assert (found.how, found.contexts, found.payoff.n) == ("regression", 16, 4)
    assert found.payoff.value > 0
    assert [it.factor.rpartition(".")[2] for it in effects.indices] == ["offence", "defence"]
    assert 0.5 < effects.indices[0].first.value <= effects.indices[0].total.value < 1.05
    assert 0.5 < effects.explained < 1
    written = page.html(report, {})
    assert "Two factors together" in written
    assert "factors by how far they move the payoff" in written
    assert "| doctrine.blue.offence | 1.0009 | doctrine.blue.defence |" in page.markdown(report)


def test_ratings_of_policies_that_play_either_side(pennies, small, reported):
    (rated,) = reported().experiments[0].ratings
    assert rated.rulebook == "tank_hex"
    assert [it.points.value for it in rated.policies] == pytest.approx([0, 0], abs=1e-6)
    assert [(it.name, it.points.n) for it in rated.advantages] == [("tank_hex/duel", 8)]


def test_casualties_and_territory_of_the_featured_pairing(small, reported):
    experiment = small(replications=2, record="turns")
    turns = [
        {"replication": r, "turn": turn, "side": "blue", "losses": losses, "territory": 19 - turn}
        for r, lost in enumerate([(0, 1), (0, 3)])
        for turn, losses in enumerate(lost)
    ]
    places = [
        {"replication": r, "turn": turn, "place": "Kiev", "holder": "blue" if (r, turn) != (1, 1) else "red"}
        for r in (0, 1)
        for turn in (0, 1)
    ]
    experiment.shard(games=[{"replication": 0}, {"replication": 1}], turns=turns, territory=places)
    scenario = reported().experiments[0].scenarios[0]
    (lost,) = scenario.casualties.courses
    assert (lost.measure, lost.side) == ("units_lost", "blue")
    assert [(it.turn, it.mean.value, it.mean.n, it.p05, it.p95) for it in lost.points] == [
        (0, 0, 2, 0, 0),
        (1, 2, 2, 1, 3),
    ]
    (held,) = scenario.territory.courses
    assert (held.measure, held.of, [it.mean.value for it in held.points]) == ("region", 1, [19, 18])
    assert {(it.place, it.turn): (it.blue.value, it.blue.n) for it in scenario.holders.holdings} == {
        ("Kiev", 0): (1.0, 2),
        ("Kiev", 1): (0.5, 2),
    }


def test_failures_are_counted_and_can_be_seen(small, reported):
    experiment = small(replications=3)
    failed = {"winner": None, "outcome": None, "margin": None, "end_reason": "failed", "fault": "bad_move"}
    experiment.shard(games=[{"replication": 0}, {"replication": 1, **failed}, {"replication": 2, **failed}])
    report = reported()
    (failure,) = report.experiments[0].failures
    assert (failure.fault, failure.games, failure.cell, failure.replication) == ("bad_move", 2, 0, 1)
    assert failure.command.endswith("--cell 0 --replication 1")
    assert report.experiments[0].scenarios[0].balance.pairings[0].failed == 2
    assert "2 failed games are left out" in report.notes[0]


def test_experiments_with_the_same_seed_are_named(small, reported):
    small("first").shard(games=[{}])
    small("second", id8="00000002").shard(games=[{}])
    report = reported()
    assert [it.name for it in report.experiments] == ["first", "second"]
    assert any("the same seed 7, so the same dice" in note for note in report.notes)
    assert [it.name for it in reported(experiments=["second"]).experiments] == ["second"]


def test_equal_archives_give_equal_reports(pennies, tmp_path):
    first, boards = gather(str(tmp_path / "archive"))
    second, _ = gather(str(tmp_path / "archive"))
    assert first == second
    assert page.html(first, boards) == page.html(second, boards)


# Whatever an archive holds


class Page(HTMLParser):
    """Checks that a page is well formed, and keeps its tags and what it would load."""

    VOID = {"meta", "link", "br", "img", "hr", "input"}

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.loads = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def pages(path, **options):
    """The page and the Markdown of an archive, both checked for what holds of any."""
    report, boards = gather(str(path), **options)
    text = page.html(report, boards)
    parsed = Page(text)
    assert "script" not in parsed.tags
    assert all(address.startswith(("#", "data:,")) for address in parsed.loads)
    assert "@import" not in text
    assert "url(http" not in text
    assert len(text.encode()) < 5_000_000
    assert "nan" not in re.findall(r">\s*(\w+)\s*%?\s*<", text)
    assert json.loads(report.model_dump_json())["archive"] == str(path)
    return text, page.markdown(report)


def test_archive_without_experiments(tmp_path):
    (tmp_path / "archive").mkdir()
    text, _ = pages(tmp_path / "archive")
    assert "There is no experiment in this archive yet." in text


def test_experiment_without_games(small, tmp_path):
    small()
    text, markdown = pages(tmp_path / "archive")
    assert "<b>not complete</b>" in text
    assert "No game of this scenario has ended yet." in text
    assert "No game of this scenario has ended yet." in markdown


def test_experiment_of_which_half_is_there(small, tmp_path):
    small(cells=[tank_hex("a", "b"), tank_hex("a", "c")], replications=3, rulebook="tank_hex").shard(games=[WIN])
    text, _ = pages(tmp_path / "archive")
    assert "1 of 2 pairings have no game yet and are left out." in text
    assert "1 of 6 games are there so far" in text
    assert re.search(r'failed 0; cell 1">–<small>–<br>n 0<', text)  # a share of nothing is a dash, not 0 %


def test_single_cell_with_results_alone(small, tmp_path):
    small(record="games", replications=2).shard(games=[{"replication": 0}, {"replication": 1}])
    text, _ = pages(tmp_path / "archive")
    assert "Who is better off" in text
    assert "Casualties by turn" not in text
    assert "Value of the game" not in text


def test_names_from_files_are_escaped(small, tmp_path):
    cells = [
        {"blue_policy": NASTY, "red_policy": "easy", "options.x": NASTY},
        {"blue_policy": NASTY, "red_policy": "easy", "options.x": "plain"},
    ]
    experiment = small(cells=cells, replications=2, label=NASTY)
    turns = [{"turn": turn, "side": "blue", "losses": turn, "territory": 3} for turn in (0, 1)]
    territory = [{"turn": turn, "place": NASTY, "holder": "blue"} for turn in (0, 1)]
    games = [{"cell": c, "replication": r, "outcome": NASTY} for c in (0, 1) for r in (0, 1)]
    experiment.shard(games=games, turns=turns, territory=territory)
    text, markdown = pages(tmp_path / "archive")
    assert "<script" not in text
    assert text.count(html.escape(NASTY, quote=False).replace("'", "&#39;")) > 8
    outside_code = re.sub(r"(`+).*?\1", "", markdown)
    assert "<script" not in outside_code
    assert not re.search(r"(?<!\\)\]\(y\)", outside_code)


def test_damaged_shards_can_be_left_out(small, tmp_path):
    experiment = small(replications=2, record="games")
    experiment.shard(0, games=[{}])
    experiment.shard(1, games=[{"replication": 1}])
    experiment.path("games", 1, 1).write_bytes(b"no Parquet")
    text, _ = pages(tmp_path / "archive", skip_damaged=True)
    assert "left out" in text


# In a browser


@in_browser
def test_browser_has_nothing_to_complain_of(pennies, tmp_path):
    wrong = tmp_path / "wrong.html"
    wrong.write_text("<!doctype html><title>x</title><script>console.error('heard')</script>")
    assert any("heard" in line for line in opened(wrong)[0])
    file = tmp_path / "report.html"
    file.write_text(pages(tmp_path / "archive")[0], encoding="utf-8")
    complaints, dom = opened(file)
    assert complaints == []
    assert "Who is better off" in dom
