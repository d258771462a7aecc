"""A set-up of First Contact drawn: every unit where it starts, reserves, and what else could be chosen."""

from xml.etree import ElementTree

import pytest
from rich.text import Text

from cluster import library
from queries import draw

SVG = "{http://www.w3.org/2000/svg}"
DOCUMENTS = library.documents(library.find_scenario("first_contact/prokhorovka"))


def sheet(scenario=DOCUMENTS.scenario):
    return ElementTree.fromstring(draw.svg("first_contact", DOCUMENTS.board, scenario))


def of_class(root, *styles):
    return [element for element in root.iter() if set(styles) <= set(element.get("class", "").split())]


def words(root):
    return [element.text for element in root.iter(f"{SVG}text")]


def test_every_unit_that_starts_on_the_map_has_a_counter_and_no_more():
    """FC-2.2, FC-2.4: four Soviet and two German companies, each with ten squads and with 10 or 15 vehicles."""
    root = sheet()
    for side, vehicles, squads in (("red", 40, 40), ("blue", 30, 20)):
        counters = of_class(root, "counter", side)
        in_legend = 1
        assert sum(element.tag == f"{SVG}ellipse" for element in counters) == vehicles + in_legend
        assert sum(element.tag == f"{SVG}rect" for element in counters) == squads + in_legend


def test_reserves_objectives_and_heights_are_named():
    found = words(sheet())
    assert {"reserve: S5, SU-152", "reserve: G3", "★ Farm", "★ Middle trench", "★ Top trench", "77"} <= set(found)


@pytest.mark.parametrize("side", ["red", "blue"])
def test_another_deployment_moves_the_counters(side):
    others = [
        name for name in DOCUMENTS.scenario["deployments"][side] if name != DOCUMENTS.scenario["deployment"][side]
    ]
    for name in others:
        deployment = {**DOCUMENTS.scenario["deployment"], side: name}
        changed = sheet({**DOCUMENTS.scenario, "deployment": deployment})
        places = [
            sorted(e.get("cx", e.get("x", "")) for e in of_class(it, "counter", side)) for it in (sheet(), changed)
        ]
        assert places[0] != places[1]
        assert len(places[0]) == len(places[1])


def test_units_show_in_the_terminal():
    text = Text.from_markup(draw.text("first_contact", DOCUMENTS.board, DOCUMENTS.scenario)).plain
    assert {"i", "T"} <= set("".join(text.split("\n")[1:-2]))
    assert "Soviet Union" in text
