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


def test_levels_are_written_as_in_an_experiment_file():
    assert [level_name(it) for it in (True, 1, 1.0, 0.25, 1_000_000.0, "reroll")] == [
        "true", "1", "1", "0.25", "1000000", "reroll"
    ]  # fmt: skip
