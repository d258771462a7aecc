"""The page of a game: its data are those of the game, drawn where the map has them, and harmless whatever they hold."""

import functools
import itertools
import json
import re
from xml.etree import ElementTree

import pytest

from cluster import one_game
from queries import draw, replay, tell
from queries.replay.scene import around
from tests.browser import in_browser, opened
from tests.rulebooks import part_of, with_part

SVG = "{http://www.w3.org/2000/svg}"
RULEBOOK = pytest.mark.parametrize("rulebook", with_part("games"))


@functools.cache
def played(rulebook):
    match = part_of(rulebook, "games").REPLAYED
    game = one_game.prepare(match.scenario, match.blue, match.red, dict(match.settings))
    return game, one_game.play(game, 3, 1)


@functools.cache
def page_of(rulebook):
    game, story = played(rulebook)
    return replay.page(rulebook, game.documents.board, story, game.scenario.title, "about it")


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)[1])


def is_there(row):
    """Whether a unit is on the map, however its rulebook says so; without a word on it, it is."""
    if "destroyed" in row:
        return not row["destroyed"]
    return row["status"] == "on_map" if "status" in row else row.get("square", "") is not None


@RULEBOOK
def test_every_turn_is_there_with_its_story(rulebook):
    game, story = played(rulebook)
    chapters, outcome = tell.tell(rulebook, story)
    data = data_of(page_of(rulebook))
    assert [turn["turn"] for turn in data["turns"]] == [chapter.turn for chapter in chapters]
    for turn, chapter in zip(data["turns"], chapters, strict=True):
        assert turn["title"] == chapter.title
        assert turn["sections"] == [[section.title, list(section.lines)] for section in chapter.sections]
        assert turn["standing"] == list(chapter.standing)
    assert f'<p class="outcome">{outcome}</p>' in page_of(rulebook)
    assert data["sides"] == game.documents.scenario["sides"]


@RULEBOOK
def test_units_places_and_events_are_those_of_the_game(rulebook):
    _, story = played(rulebook)
    data = data_of(page_of(rulebook))
    names = [place["name"] for place in data["places"]]
    left, top, width, height = map(float, data["box"])
    for turn in data["turns"]:
        held = {row["place"]: row["holder"] for row in story.territory if row["turn"] == turn["turn"]}
        assert dict(zip(names, turn["holders"], strict=True)) == {
            name: {"red": "r", "blue": "b", None: "-"}[holder] for name, holder in held.items()
        }
        on_map = {row["unit"] for row in story.units if row["turn"] == turn["turn"] and is_there(row)}
        stands = [stand for stand in turn["stands"] if not stand[6]]
        assert {data["units"][stand[0]]["name"] for stand in stands} == on_map
        for stand in turn["stands"]:
            assert left <= stand[1] <= left + width
            assert top <= stand[2] <= top + height
        for event in turn["events"]:
            assert event[0] in {"move", "fire", "hit", "mark", "area", "loss"}
            assert all(isinstance(value, float) for value in event[2:6])
        told = [row for row in story.events if row["turn"] == turn["turn"]]
        assert len(turn["events"]) <= len(told)
    assert any(turn["events"] for turn in data["turns"])


@pytest.mark.parametrize("rulebook", list(filter(draw.draws_itself, with_part("games"))))
def test_a_unit_of_the_set_up_stands_where_the_map_draws_it(rulebook):
    game, _ = played(rulebook)
    drawing = ElementTree.fromstring(draw.svg(rulebook, game.documents.board, game.documents.scenario))
    data = data_of(page_of(rulebook))
    ours = {data["units"][stand[0]]["name"]: (stand[1], stand[2]) for stand in data["turns"][0]["stands"]}
    if rulebook == "first_contact":
        # The map names companies, and not whose counter each is: the cells agree, also those under another counter.
        drawn = {
            (round(float(it.attrib["x"]) + 3), round(float(it.attrib["y"]) + 3))
            for group in drawing.iter(f"{SVG}g") if group.get("class") == "units" for it in group.iter(f"{SVG}rect")
        }  # fmt: skip
        squads = {(round(x), round(y)) for name, (x, y) in ours.items() if "squad" in name}
        assert squads == drawn
        return
    found = 0
    for group in drawing.iter(f"{SVG}g"):
        name = (group.findtext(f"{SVG}title") or "").partition(" (")[0]
        if group.get("class") == "unit" and name in ours:
            box = {key: float(group.find(f"{SVG}rect").attrib[key]) for key in ("x", "y", "width", "height")}
            assert abs(box["x"] + box["width"] / 2 - ours[name][0]) < 4, name
            assert abs(box["y"] + box["height"] / 2 - ours[name][1]) < 4, name
            found += 1
    assert found == len(ours)


@RULEBOOK
def test_measures_are_those_of_the_turns(rulebook):
    _, story = played(rulebook)
    data = data_of(page_of(rulebook))
    assert len({measure["title"] for measure in data["measures"]}) == len(data["measures"]) >= 3
    titles = ("Regions held", "Objectives", "Sectors held", "Territory")
    (held,) = [it for it in data["measures"] if it["title"] in titles]
    for side in ("red", "blue"):
        rows = {row["turn"]: row["territory"] for row in story.turns if row["side"] == side}
        assert held[side] == [rows[turn["turn"]] for turn in data["turns"]]


def test_dice_of_an_attack_are_told():
    _, story = played("barbarossa")
    told = [event[6] for turn in data_of(page_of("barbarossa"))["turns"] for event in turn["events"]]
    attack = next(row for row in story.events if row["kind"] == "soviet_attack" and row["dice"])
    assert any(f"soviet attack, {attack['place']}; die {attack['dice']}" in text for text in told)


@RULEBOOK
def test_a_page_asks_no_network_and_holds_one_document(rulebook):
    page = page_of(rulebook)
    assert "default-src 'none'" in page
    addresses = set(re.findall(r"https?://[^\"'` )%]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert "{{" not in page.replace(re.search(r"<script>\n(.*?)</script>", page, re.DOTALL)[1], "")
    assert page.count("<svg id=") == 3
    assert len(page) < 5e6


def test_names_cannot_leave_their_place():
    bad = '</script><script>alert("x")</script><!--'
    game, story = played("barbarossa")
    story = story._replace(sides={"red": bad, "blue": bad})
    page = replay.page("barbarossa", game.documents.board, story, bad, bad)
    assert "<script>alert" not in page
    assert page.count("</script>") == page_of("barbarossa").count("</script>")
    assert data_of(page)["sides"]["red"] == bad
    assert "&lt;/script&gt;&lt;script&gt;alert(&quot;x&quot;)" in page


def test_a_page_opens_with_the_turn_that_is_asked_for():
    game, story = played("barbarossa")
    data = data_of(replay.page("barbarossa", game.documents.board, story, "t", "a", 6))
    assert data["turns"][data["first"]]["turn"] == 6
    assert data_of(page_of("barbarossa"))["first"] == 0


def test_a_game_that_failed_has_no_page():
    game, story = played("barbarossa")
    with pytest.raises(ValueError, match="it has no turns to show"):
        replay.page("barbarossa", game.documents.board, story._replace(turns=[], units=[], territory=[]), "t", "a")


def test_the_part_that_matters_keeps_to_the_map():
    assert around([(10, 10), (20, 30)], 5, (0, 0, 100, 100)) == (5, 5, 20, 30)
    assert around([(1, 1), (99, 99)], 5, (0, 0, 100, 100)) == (0, 0, 100, 100)
    assert around([], 5, (0, 0, 100, 100)) == (0, 0, 100, 100)


def test_the_part_that_matters_is_not_too_flat():
    assert around([(10, 50), (90, 50)], 5, (0, 0, 100, 100)) == pytest.approx((5, 25.25, 90, 49.5))
    assert around([(10, 10), (90, 10)], 5, (0, 0, 100, 100)) == pytest.approx((5, 0, 90, 49.5))
    assert around([(10, 95), (90, 95)], 5, (0, 0, 100, 100)) == pytest.approx((5, 50.5, 90, 49.5))
    assert around([(10, 10), (90, 20)], 5, (0, 0, 100, 30)) == (5, 0, 90, 30)


def test_tanks_of_a_stack_lie_below_each_other():
    _, story = played("tank_hex")
    unit = story.units[0]
    rows = [{**unit, "unit": name, "hex": 7, "turn": 1, "destroyed": name == "d"} for name in "abcd"]
    board = played("tank_hex")[0].documents.board
    drawn = replay.tank_hex.scene(board, story._replace(units=rows, events=[])).stands[1]
    assert [stand[2] - drawn[1][2] for stand in drawn] == [-11, 0, 11, 0]
    assert len({stand[1] for stand in drawn}) == 1


@in_browser
@RULEBOOK
def test_the_page_works_in_a_browser(rulebook, tmp_path):
    file = tmp_path / "game.html"
    file.write_text(page_of(rulebook))
    data = data_of(page_of(rulebook))
    shown = data["turns"][3]
    complaints, page = opened(file, f"#turn={shown['turn']}")
    assert complaints == []
    assert f'<span id="which">{shown["title"]}</span>' in page
    groups = re.findall(r'<g class="unit (?:red|blue)( gone| wreck)?"', page)
    assert len(groups) == len(data["units"])
    assert groups.count(" gone") == len(data["units"]) - len(shown["stands"])
    assert page.count('class="event ') == len(shown["events"])
    for line in itertools.chain(*(lines for _, lines in shown["sections"])):
        assert f"<p>{line.strip()}</p>" in page


def story_without_places(units):
    """A story of a rulebook whose units stand nowhere in particular."""
    keys = {"turn": 1}
    return tell.Story(
        {"red": "R", "blue": "B"}, ["1"], {"turns": 1, "end_reason": "x", "outcome": "x", "winner": "draw"},
        [{**keys, "side": side, "strength": 3} for side in ("red", "blue")],
        [{**keys, "unit": name, "side": side, "men": 4} for name, side in units],
        [{**keys, "place": name, "holder": None} for name in ("North wood", "Farm", "Mill")],
        [{**keys, "seq": 0, "kind": "fire", "side": "red", "actor": "R 1", "target": None}],
    )  # fmt: skip


def test_units_that_stand_nowhere_are_in_a_row_below_the_places():
    units = [(f"{side[0].upper()} {i}", side) for side in ("red", "blue") for i in range(9)]
    data = data_of(replay.page("none", {}, story_without_places(units), "t", "a"))
    assert [place["name"] for place in data["places"]] == ["North wood", "Farm", "Mill"]
    (turn,) = data["turns"]
    at = [(stand[1], stand[2]) for stand in turn["stands"]]
    assert len(set(at)) == len(units)
    left, top, width, height = map(float, data["box"])
    lowest = max(float(place["path"].split("h")[0].split()[1]) for place in data["places"]) + 56
    assert all(left < x < left + width and lowest < y < top + height for x, y in at)
    assert turn["stands"][0][7] == "men 4"
    assert turn["events"] == []
