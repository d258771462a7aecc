"""Chapter 1: the map as text, labels, directions, distances."""

import pytest

import sim.tank_hex.board as board
from sim.geometry.hexagon import DIRECTIONS, Labels
from sim.rules_file import BadInput, check
from sim.tank_hex.chart import read_chart
from sim.tank_hex.documents import MapFile, RulesFile
from tests.tank_hex_positions import field_document, map_document, position, rules_document, scenario_of

BOOK = check(RulesFile, rules_document(), "rules")
MAPS = ("twin_villages", "two_farms", "two_bridges")
THREE_ROWS = (
    field_document(6, 12) | dict.fromkeys(("terrain", "roads", "rivers"), 3 * ". .\n") | {"grades": 3 * "0 0\n"}
)


def load(document):
    return board.load(scenario_of({"R1": (0, 0), "B1": (5, 11)}, 12, 6), document, rules_document())[0]


def redrawn(key, row, column, sign, **ground):
    """A field of 6 rows of 12 in which one sign of one drawing is another; rows and columns from 1."""
    document = field_document(6, 12, **ground)
    lines = document[key].splitlines()
    signs = lines[row - 1].split()
    signs[column - 1] = sign
    lines[row - 1] = " ".join(signs)
    return {**document, key: "\n".join(lines)}


# 1.1


@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [
        ((0, 0), (0, 5), 5),
        ((0, 0), (1, 0), 1),  # odd rows lie half a hex to the right: south-east of (0, 0)
        ((0, 1), (1, 0), 1),  # and south-west of (0, 1)
        ((0, 0), (1, 1), 2),
        ((0, 0), (5, 0), 5),  # straight down by turns south-east and south-west
        ((0, 0), (4, 2), 4),  # 4 steps south-east: two columns
        ((0, 0), (4, 3), 5),
        ((4, 0), (0, 9), 11),  # 4 steps north-east make 2 columns, 7 remain
    ],
)
def test_th_1_1_distance(a, b, steps):
    table = position({"R1": (0, 0), "B1": (5, 11)}, 6, 12)
    assert table.distance(a, b) == table.distance(b, a) == steps


def test_th_1_1_a_hex_is_50_m_wide(monkeypatch):
    """18 hexes are 900 m."""
    table = position({"R1": (0, 0), "B1": (0, 18)})
    assert table.game.rules.hex_m * table.distance((0, 0), (0, 18)) == 900


def test_th_1_1_a_map_may_be_drawn_by_hand():
    document = {
        "name": "drawn",
        "rulebook": "tank_hex",
        "square": "4562",
        "terrain": ". w .\n . b ~\n~ b .\n . w .\n",
        "grades": "0 1 2\n 0 0 0\n0 0 0\n 2 1 0\n",
        # (0, 0) E and (0, 1) SW; their images are (3, 1) E and (2, 2) SW.
        "roads": "1 4 .\n . . .\n. . 4\n . 1 .\n",
        "rivers": ". . .\n . . .\n. . .\n . . .\n",
    }
    setup = board.load(scenario_of({"R1": (0, 0), "B1": (3, 2)}, 3, 4), document, rules_document())[0]
    terrain = [board.st.TERRAINS[number] for number in setup.board[0].terrain[:12]]
    assert terrain[:6] == ["open", "woods", "open", "open", "built_up", "water"]
    assert setup.board[0].grade[:3].tolist() == [0, 1, 2]
    east, south_west = DIRECTIONS.index("E"), DIRECTIONS.index("SW")
    assert setup.board[0].road[0, east] == setup.board[0].road[1, DIRECTIONS.index("W")] == 1
    assert setup.board[0].road[1, south_west] == setup.board[0].road[3, DIRECTIONS.index("NE")] == 1
    assert setup.board[0].road[:12].sum() == 8


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (redrawn("terrain", 2, 3, "x"), "terrain: row 2, column 3: 'x' is wrong, use ., w, b or ~"),
        (redrawn("terrain", 2, 3, "w"), "terrain: row 2, column 3 differs from row 5, column 10: half a turn"),
        (redrawn("grades", 1, 12, "3"), "grades: row 1, column 12 differs from row 6, column 1"),
        (redrawn("roads", 3, 4, "1"), "roads: row 3, column 4 differs from row 4, column 9"),
        (redrawn("rivers", 3, 4, "2"), "rivers: row 3, column 4 differs from row 4, column 9"),
        (redrawn("roads", 6, 4, "2"), "roads: row 6, column 4: the link SE leads off the map: no neighbour is there"),
        (redrawn("roads", 3, 12, "1"), "roads: row 3, column 12: the link E leads off the map"),
        (redrawn("rivers", 6, 4, "4"), "rivers: row 6, column 4: the link SW leads off the map"),
        (redrawn("roads", 3, 4, "8"), "roads: row 3, column 4: '8' is wrong"),
        (
            redrawn("roads", 3, 4, "1", water=[(2, 4)]),
            "roads: row 3, column 4: the link E leads through water, which is closed",
        ),
        (
            field_document(6, 12, water=[(r, 4) for r in range(6)]),
            "terrain: row 1, column 6 cannot be reached from row 1, column 1",
        ),
        ({**field_document(6, 12), "roads": ". . .\n"}, "roads: has 1 rows of 3, terrain has 6 of 12"),
        ({**field_document(6, 12), "grades": "0 0\n0\n"}, "grades: row 2 has 1 hexes, row 1 has 2"),
        ({**field_document(6, 12), "terrain": "\n"}, "terrain: is empty"),
        ({**field_document(6, 12), "square": "456"}, "square"),
        ({**field_document(6, 12), "square": "45"}, "square"),
        (THREE_ROWS, "terrain: 3 rows of 2: use an even number of rows up to 64"),
    ],
)  # fmt: skip
def test_th_1_1_a_wrong_map_is_refused_with_row_and_column(document, message):
    with pytest.raises(BadInput) as caught:
        load(document)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", MAPS)
def test_th_1_1_shipped_maps_are_symmetric_and_wooded(name):
    """Symmetry and connection are checked when they are read; 10 to 15 % of the hexes are woods."""
    document = map_document(name)
    rows = [line.split() for line in document["terrain"].split("\n") if line.strip()]
    signs = [sign for row in rows for sign in row]
    assert len(rows) % 2 == 0
    assert 40 <= len(rows[0]) <= 50
    assert 0.10 <= signs.count("w") / len(signs) <= 0.15
    units = {"R1": (0, 0), "B1": (0, 1)}
    board.load(scenario_of(units, len(rows[0]), len(rows)), document, rules_document())


# 1.2


def test_th_1_2_4563gh_both_ways():
    """Row 6, column 7 of square 45/63; in a map whose first square is 45/62 that is column 20 + 7."""
    labels = Labels(30, 44, "4562", 20)
    assert labels.label(6, 27) == "4563GH"
    assert divmod(labels.number("4563GH"), 44) == (6, 27)


def test_th_1_2_every_label_leads_back():
    labels = Labels(30, 44, "4562", 20)
    found = [labels.label(*divmod(number, 44)) for number in range(30 * 44)]
    assert len(set(found)) == 30 * 44
    assert [labels.number(label) for label in found] == list(range(30 * 44))
    # The square south of 45 is 44: northing falls from the top down.
    assert labels.label(20, 0) == "4462AA"


@pytest.mark.parametrize("label", ["4563GU", "4561AA", "4462KA", "4663AA", "4563gh", "4563G", "45A3GH", "", "4564AE"])
def test_th_1_2_a_label_off_the_map(label):
    """Rows 20 to 29 are A to J of squares 44; columns 40 to 43 are A to D of squares 64."""
    with pytest.raises(KeyError):
        Labels(30, 44, "4562", 20).number(label)


def test_th_1_2_a_scenario_names_hexes_by_label():
    document = scenario_of({"R1": (0, 0), "B1": (5, 11)}, 12, 6)
    document["units"][1]["hex"] = "4563AA"
    with pytest.raises(
        BadInput, match=r"units\.B1\.hex: '4563AA' is no hex of map field: its labels go from 4562AA to 4562FL"
    ):
        board.load(document, field_document(6, 12), rules_document())


def test_th_1_2_squares_of_20_by_20():
    """In rules with other squares the same label is another hex: with 20, 4562AT is column 19 and 4563AA column 20."""
    table = position({"R1": (0, 19), "B1": (0, 20)})
    assert (table.where("R1"), table.where("B1")) == ((0, 19), (0, 20))
    document = scenario_of({"R1": (0, 19), "B1": (0, 20)}, 44, 2)
    assert [unit["hex"] for unit in document["units"]] == ["4562AT", "4563AA"]


@pytest.mark.parametrize(("square", "columns"), [("0099", 12), ("4599", 12), ("4598", 40)])
def test_th_1_2_squares_that_just_fit(square, columns):
    document = {**field_document(6, columns), "square": square}
    assert read_chart(check(MapFile, document, "map"), BOOK).labels.label(5, columns - 1).startswith(square[:2] + "99")


@pytest.mark.parametrize(("square", "rows", "columns"), [("4599", 6, 21), ("0045", 22, 12)])
def test_th_1_2_squares_that_do_not_fit_are_refused(square, rows, columns):
    document = {**field_document(rows, columns), "square": square}
    with pytest.raises(BadInput, match="leaves no room for the squares south and east of it"):
        read_chart(check(MapFile, document, "map"), BOOK)


# 1.3


@pytest.mark.parametrize(
    ("die", "name", "hexagon"),
    [
        (1, "E", (4, 7)),
        (2, "NE", (2, 6)),  # two rows up, one column to the right
        (3, "NW", (2, 4)),
        (4, "W", (4, 3)),
        (5, "SW", (6, 4)),
        (6, "SE", (6, 6)),
    ],
)
def test_th_1_3_drift_of_two_hexes(die, name, hexagon):
    table = position({"R1": (0, 0), "B1": (0, 1)}, 10, 12)
    direction = table.drift_direction(die)
    assert DIRECTIONS[direction] == name
    assert divmod(table.drifted((4, 5), direction, 2), 12) == hexagon


@pytest.mark.parametrize(("name", "steps"), [("N" + "W", 5), ("W", 6), ("E", 7), ("SE", 6)])
def test_th_1_3_off_the_map(name, steps):
    """From (4, 5) of 10 rows of 12."""
    table = position({"R1": (0, 0), "B1": (0, 1)}, 10, 12)
    assert table.drifted((4, 5), DIRECTIONS.index(name), steps) == -1
    assert table.drifted((4, 5), DIRECTIONS.index(name), steps - 2) != -1
