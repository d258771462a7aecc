"""The map of First Contact drawn: everything on the map is on the sheet, once."""

from xml.etree import ElementTree

import pytest
from rich.text import Text

from cluster import library
from queries import draw
from sim.first_contact.state import TRENCHES
from sim.rules_file import BadInput, read_toml

SVG = "{http://www.w3.org/2000/svg}"
BOARD = read_toml(library.configs() / "maps/first_contact/prokhorovka.toml")


def sheet(board=BOARD, scenario=None):
    return ElementTree.fromstring(draw.svg("first_contact", board, scenario))


def of_class(root, *styles):
    return [element for element in root.iter() if set(styles) <= set(element.get("class", "").split())]


def words(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def test_all_that_is_on_the_map_is_drawn():
    root = sheet()
    in_legend = 1
    assert len(of_class(root, "contour")) == len(BOARD["contours"]) + 2 * in_legend  # full ones and the foot
    assert len(of_class(root, "haystack")) == 10 + in_legend
    assert len(of_class(root, "house")) == 4 + in_legend
    assert len(of_class(root, "barn")) == 1 + in_legend
    assert len(of_class(root, "ditch")) == len(TRENCHES) + 2 * in_legend  # of either side
    assert len(of_class(root, "peak")) == len(BOARD["peaks"]) + in_legend + 1  # and the arrow to the north
    assert len(of_class(root, "grid")) == 20
    assert {"★ Farm", "★ Middle trench", "★ Top trench", "West wood", "Kurgan 42", "77"} <= set(words(root))


def test_the_map_alone_has_no_units():
    root = sheet()
    assert not of_class(root, "counter")
    assert not of_class(root, "entry")


def test_every_contour_has_its_height_on_the_map():
    levels = of_class(sheet(), "level")
    assert sorted(int(level.text) for level in levels) == sorted(it["height"] for it in BOARD["contours"].values())
    for level in levels:
        assert 44 <= float(level.get("x")) <= 44 + 200 * 6
        assert 96 <= float(level.get("y")) <= 96 + 200 * 6


def test_names_from_files_are_escaped():
    title = "<script>& [red]x[/red]"
    board = {**BOARD, "title": title}
    assert title in words(sheet(board))
    assert title in Text.from_markup(draw.text("first_contact", board)).plain


def test_a_map_that_is_none_is_refused():
    with pytest.raises(BadInput, match="map prokhorovka: woods: is missing"):
        draw.svg("first_contact", {key: value for key, value in BOARD.items() if key != "woods"})


@pytest.mark.parametrize("width", [40, 100, 200])
def test_the_terminal_map_keeps_its_width(width):
    _, *lines, _ = Text.from_markup(draw.text("first_contact", BOARD, None, width)).plain.split("\n")
    across = -(-200 // width)
    assert [len(line) for line in lines] == [-(-200 // across)] * -(-200 // (2 * across))
    assert {"■", "o", "#", "=", "%", "·", "3", "7"} <= set("".join(lines))
