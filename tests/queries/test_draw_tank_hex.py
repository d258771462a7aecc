"""The map of Tank Hex drawn: everything on the map is on the sheet, once."""

from xml.etree import ElementTree

import pytest
from rich.text import Text

from cluster import describe, library
from queries import draw
from sim.rules_file import BadInput
from sim.tank_hex.documents import MapFile

SVG = "{http://www.w3.org/2000/svg}"
SCENARIO, BOARD, _ = library.documents(library.find_scenario("river_crossing"))
IN_LEGEND = 1


def sheet(board=BOARD, scenario=None):
    return ElementTree.fromstring(draw.svg("tank_hex", board, scenario))


def of_class(root, *styles):
    return [element for element in root.iter() if set(styles) <= set(element.get("class", "").split())]


def signs(key):
    return BOARD[key].split()


def test_every_hex_of_the_map_is_drawn():
    root = sheet()
    assert len(signs("terrain")) == 30 * 44
    for style, sign in (("wood", "w"), ("town", "b"), ("water", "~")):
        in_defs = [element for element in of_class(root, style) if element.get("href") == "#hex"]
        assert len(in_defs) == signs("terrain").count(sign) + IN_LEGEND
    labels = [element.text for element in of_class(root, "label")]
    assert len(labels) == 30 * 44
    assert labels[:2] == ["AA", "AB"]
    assert [e.text for e in of_class(root, "square-name")] == ["4562", "4563", "4564", "4462", "4463", "4464"]


def test_roads_and_rivers_are_drawn_once_and_bridges_have_rails():
    root = sheet()
    edges = sum(int(sign).bit_count() for sign in signs("rivers") if sign != ".")
    assert len(of_class(root, "river")) == edges + IN_LEGEND
    links = sum(int(sign).bit_count() for sign in signs("roads") if sign != ".")
    assert links > 0
    assert len(of_class(root, "road")) == len(of_class(root, "road-side"))
    assert len(of_class(root, "rail")) == 2 * 2  # two bridges


def test_a_scenario_has_its_tanks_and_objectives():
    root = sheet(scenario=SCENARIO)
    names = {group.findtext(f"{SVG}title") for group in of_class(root, "unit")}
    assert {unit["name"] for unit in SCENARIO["units"]} <= names
    goals = [element.text for element in of_class(root, "goal")]
    assert goals == ["★ North bridge", "★ South bridge"]
    words = [element.text for element in root.iter(f"{SVG}text")]
    assert {"River crossing", "Attacker", "Defender"} <= set(words)


@pytest.mark.parametrize("width", [80, 100])
def test_the_terminal_has_a_row_for_each_row(width):
    text = Text.from_markup(draw.text("tank_hex", BOARD, SCENARIO, width)).plain
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    rows = lines[3:33]
    assert [row[0] for row in rows] == list("ABCDEFGHIJKLMNOPQRSTABCDEFGHIJ")
    step = 2 if width == 100 else 1
    assert rows[0][2 + 23 * step] == "~"  # 4563AD
    assert rows[6][2 + 23 * step] == "★"  # 4563GD, the north bridge
    assert rows[5][2 + 8 * step + (step == 2)] == "R"  # 4562FI; odd rows stand half a hex further right


def test_generated_scenarios_can_be_shown():
    (thing,) = describe.things_called("random_7")
    assert thing.about["name"] == "tank_hex/random_7"
    assert thing.drawing is not None
    assert "Generated meeting 7" in draw.svg(*thing.drawing)
    assert describe.things_called("tank_hex/random_7")[0].text == thing.text


def test_a_tank_off_the_map_is_refused():
    wrong = {**SCENARIO, "units": [{"name": "Red 1", "side": "red", "hex": "4599AA"}]}
    with pytest.raises(BadInput, match="'4599AA' is no hex of map two_bridges"):
        draw.svg("tank_hex", BOARD, wrong)


def test_a_map_that_is_wrong_says_where():
    rows = BOARD["terrain"].splitlines()
    rows[0] = rows[0].replace(".", "w", 1)
    with pytest.raises(BadInput, match="row 1, column 1 differs from row 30, column 44"):
        draw.text("tank_hex", MapFile(**{**BOARD, "terrain": "\n".join(rows)}).model_dump())
