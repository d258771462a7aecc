"""Maps drawn in the terminal and as SVG."""

import tomllib
from xml.etree import ElementTree

import pytest
from rich.text import Text

import sim
from cluster import library
from queries import draw
from queries.draw.barbarossa import lines_of, position

MAP = tomllib.loads((library.configs() / "maps/barbarossa/eastern_front.toml").read_text(encoding="utf-8"))
BLUE = library.documents(library.find_scenario("barbarossa/blue")).scenario
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_every_scenario_can_be_drawn(rulebook):
    for ref in library.scenarios():
        if ref.rulebook == rulebook:
            scenario, board, _ = library.documents(ref)
            assert draw.text(rulebook, board, scenario)
            ElementTree.fromstring(draw.svg(rulebook, board, scenario))


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        ("a1 b1 a2 b2", "0,1 1,1 0,0 1,0"),  # as a chess board
        ("A1 A2 B1 B2", "0,0 1,0 0,1 1,1"),  # letters run down
        ("Mill Farm Wood", "0,0 1,0 0,1"),
        ("", ""),
    ],
)
def test_places_lie_in_a_grid_as_their_names_say(names, cells):
    found = draw.plain.grid(names.split())
    assert [f"{column},{row}" for column, row in found.values()] == cells.split()


def test_a_map_alone_is_shown_as_it_is_written():
    board = library.documents(library.find_scenario("brandubh/cross")).board
    assert "  . . . # . . .\n" in draw.text("brandubh", board)
    assert ". . . # . . ." in draw.svg("brandubh", board)


def test_bb_7_2_position_of_case_blue():
    setup = position(MAP, BLUE)
    assert len(setup.axis) == 19
    assert [name for name, _ in setup.stacks["Kharkov"]] == [
        "6th Army",
        "17th Army",
        "8th Italian Army",
        "2nd Hungarian Army",
    ]
    assert "Kiev" in setup.garrisons
    assert "Kharkov" not in setup.garrisons
    assert setup.to_come == [("8th Army", "german", "S42"), ("9th Army", "german", "W43")]


def test_an_alias_of_a_region_is_that_region():
    scenario = {**BLUE, "units": [{"name": "1st", "nation": "german", "region": "Slovenia"}], "garrisons": ["Slovenia"]}
    setup = position(MAP, scenario)
    assert setup.axis == {"Slovakia"}
    assert not setup.garrisons


def test_the_printed_map_has_its_own_colours():
    assert len(position(MAP, None).axis) == 9
    assert len(lines_of(MAP)) == 62


@pytest.mark.parametrize("width", [80, 100, 140])
def test_no_label_covers_another_in_the_terminal(width):
    plain = Text.from_markup(draw.text("barbarossa", MAP, BLUE, width)).plain
    picture, _ = plain.split("\nCase Blue")
    for name in MAP["regions"]:
        assert picture.count(f" {name}") == 1
    assert max(map(len, picture.splitlines())) <= width


def test_regions_lie_where_they_lie():
    lines = Text.from_markup(draw.text("barbarossa", MAP, None)).plain.split("\nThe map")[0].splitlines()
    at = {name: next((i, line.index(name)) for i, line in enumerate(lines) if name in line) for name in MAP["regions"]}
    assert at["Arkangel"][0] < at["Leningrad"][0] < at["Minsk"][0] < at["Kiev"][0] < at["Baku"][0]  # north to south
    assert at["Berlin"][1] < at["Warsaw"][1] < at["Moscow"][1] < at["Siberia"][1]  # west to east


def test_the_drawing_has_every_region_line_sea_and_counter():
    root = ElementTree.fromstring(draw.svg("barbarossa", MAP, BLUE))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    for name in (*MAP["regions"], *MAP["seas"], "Case Blue"):
        assert name in texts
    lines = [element for element in root.iter(f"{SVG}line") if element.get("class") == "line"]
    assert len(lines) == 62 + 1  # one in the legend
    counters = [group.find(f"{SVG}title") for group in root.iter(f"{SVG}g") if group.get("class") == "unit"]
    drawn = {title.text for title in counters if title is not None}
    assert {f"{unit['name']} ({unit['nation']})" for unit in BLUE["units"]} <= drawn


def test_names_from_files_are_escaped():
    board = {**MAP, "regions": dict(MAP["regions"]), "lines": {}, "seas": {}}
    board["regions"]["<script>&"] = {"lon_lat": [30.0, 50.0], "draw_at": [30.0, 50.0], "axis": False}
    root = ElementTree.fromstring(draw.svg("barbarossa", board))
    assert "<script>&" in [element.text for element in root.iter(f"{SVG}text")]
    board["regions"]["[red]x"] = board["regions"].pop("<script>&")
    assert "[red]x" in Text.from_markup(draw.text("barbarossa", board)).plain
