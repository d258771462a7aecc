"""The small maps of the report: names can be read, and levels are written as people write them."""

from xml.etree import ElementTree

from queries.report import maps
from queries.report.balance import level_name
from queries.report.model import Holding, Number

ROWS = "\n".join(". " * 9 for _ in range(9))
BOARD = {"terrain": ROWS, "square": "4563"}
RULES = {"map": {"square": {"value": 9}}}


def test_names_of_objectives_close_together_stand_on_either_side():
    scenario = {"objectives": [{"name": "Farm", "hex": "4563CC"}, {"name": "Church", "hex": "4563DC"}]}
    held = [Holding(place=name, turn=1, blue=Number(value=1.0, low=0.5, high=1.0, n=3)) for name in ("Farm", "Church")]
    drawn = maps.draw("tank_hex", maps.Documents(scenario, BOARD, RULES), held)
    assert drawn is not None
    root = ElementTree.fromstring(drawn)
    spots = [float(it.attrib["cy"]) for it in root.iter("circle")]
    names = {it.text: float(it.attrib["y"]) for it in root.iter("text")}
    assert names["Farm"] < spots[0] < spots[1] < names["Church"]


def test_places_of_any_rulebook_are_a_grid():
    shares = {"a2": (1.0, 0.0), "b2": (0.0, 0.0), "a1": (0.25, 0.5), "b1": (0.0, 1.0)}
    held = [
        Holding(place=name, turn=1, blue=Number(value=blue, low=0.0, high=1.0, n=4), nobody=nobody)
        for name, (blue, nobody) in shares.items()
    ]
    drawn = maps.draw("no_such_rulebook", maps.Documents({}, {}, {}), held)
    assert drawn is not None
    boxes = {it.findtext("title")[:2]: it.attrib for it in ElementTree.fromstring(drawn).iter("rect")}
    assert boxes["a2"]["x"] == boxes["a1"]["x"] != boxes["b1"]["x"]
    assert float(boxes["a2"]["y"]) < float(boxes["a1"]["y"])
    colours = {name: box["style"].removeprefix("fill:") for name, box in boxes.items()}
    assert colours["a2"] == f"{maps.tint(1.0)};fill-opacity:1.00"
    assert colours["b2"] == f"{maps.tint(0.0)};fill-opacity:1.00"
    assert colours["a1"] == f"{maps.tint(0.5)};fill-opacity:0.50"
    assert colours["b1"] == f"{maps.tint(None)};fill-opacity:0.10"
    assert maps.is_small("no_such_rulebook")
    assert not maps.is_small("barbarossa")


def test_levels_are_written_as_in_an_experiment_file():
    assert [level_name(it) for it in (True, 1, 1.0, 0.25, 1_000_000.0, "reroll")] == [
        "true", "1", "1", "0.25", "1000000", "reroll"
    ]  # fmt: skip
