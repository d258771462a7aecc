"""FC-5.9: lines of sight, and what a side knows."""

import itertools

import numpy as np
import pytest

import sim.first_contact.state as st
import sim.first_contact.turn as turn
from sim.first_contact.policies import hold
from sim.first_contact.seat import DECISIONS
from tests import naive_sight
from tests.first_contact_positions import Table, cell_of, ground_of, position

FLAT = "\n".join(["." * 7] * 7)


def test_fc_5_9_a_wood_blocks_and_a_mere_corner_does_not():
    art = "....\n.f..\n....\n...."
    table = position(art, {"s1": (0, 0), "g1": (2, 2), "g2": (0, 2), "s2": (0, 1), "g3": (1, 0)})
    assert not table.can_see("s1", "g1")  # through the wood
    assert table.can_see("s1", "g2")
    assert table.can_see("s2", "g3")  # past its corner


def test_fc_5_9_end_cells_do_not_block():
    table = position("f.f.f", {"s1": (0, 0), "g1": (0, 2), "g2": (0, 4)})
    assert table.can_see("s1", "g1")
    assert not table.can_see("s1", "g2")


@pytest.mark.parametrize(
    ("letter", "height", "clear"),
    [
        # Eyes are 2 m above 30 m of plain: what reaches above 32 m blocks.
        (".", 32, True), (".", 33, False), ("h", 30, True), ("s", 29, True), ("s", 30, False), ("B", 26, True),
        ("B", 27, False), ("H", 26, True), ("H", 27, False), ("f", 17, True), ("f", 18, False), ("r", 32, True),
        ("w", 32, True),
    ],
)  # fmt: skip
def test_fc_5_9_ground_and_obstacle_against_the_line(letter, height, clear):
    """Forest 15 m, barn and house 6 m, haystack 3 m."""
    table = position(f".{letter}.", {"s1": (0, 0), "g1": (0, 2)}, heights={(0, 1): height})
    assert table.can_see("s1", "g1") == clear


def test_fc_5_9_height_is_taken_at_the_middle_of_the_crossing():
    """From 30 to 50 m over 4 cells: eyes at 32 and 52, the line 37, 42, 47 m above the cells between."""
    for column, line in ((1, 37), (2, 42), (3, 47)):
        for top in (line, line + 1):
            heights = {(0, 4): 50, (0, column): top}
            table = position(".....", {"s1": (0, 0), "g1": (0, 4)}, heights=heights)
            assert table.can_see("s1", "g1") == (top == line)


def test_fc_5_9_units_do_not_block():
    table = position(".....", {"s1": (0, 0), "T1": (0, 1), "P1": (0, 2), "g1": (0, 4)})
    assert table.can_see("s1", "g1")


def random_ground(seed: int, size: int = 9) -> tuple[str, dict[tuple[int, int], int]]:
    generator = np.random.default_rng(seed)
    letters = generator.choice(list("....fhrsBHw"), (size, size))
    heights = {
        place: int(metres)
        for place, metres in zip(np.ndindex(size, size), generator.integers(30, 40, size * size), strict=True)
    }
    return "\n".join("".join(line) for line in letters), heights


@pytest.mark.parametrize("seed", range(4))
def test_fc_5_9_symmetric_and_as_its_slow_twin(seed):
    """From several cells to all others, squads at both ends, on ground at random."""
    art, heights = random_ground(seed)
    table = position(art, {"s1": (0, 0), "g1": (0, 1)}, heights=heights)
    ground = ground_of(art, heights)
    cells = list(itertools.product(range(9), range(9)))
    clear = 0
    for start, end in itertools.product(cells[seed::13], cells):
        if start == end:
            continue
        found = table.sees_from("s1", start, end, table.unit("g1"))
        assert found == table.sees_from("g1", end, start, table.unit("s1"))
        assert found == naive_sight.sees(ground, start, end), (start, end)
        clear += found
    assert 50 < clear < 400


def test_fc_5_9_a_squad_looks_out_of_its_own_building():
    """Its barn's cells do not block for it, nor for who looks at it; for a vehicle they do."""
    for name in ("s1", "T1"):
        table = position("BBB..", {name: (0, 0), "g1": (0, 4)})
        assert table.can_see(name, "g1") == table.can_see("g1", name) == (name == "s1")
    table = position("B.H.B", {"s1": (0, 0), "g1": (0, 4)})
    assert not table.can_see("s1", "g1")  # another building


def test_fc_5_9_what_is_known_of_a_line_is_forgotten_when_one_moves():
    table = position("..f..\n.....", {"s1": (0, 0), "g1": (0, 4)})
    assert not table.can_see("s1", "g1")
    table.stand("g1", (1, 4))
    assert not table.can_see("g1", "s1")
    table.stand("s1", (1, 0))
    assert table.can_see("g1", "s1")
    table.stand("g1", (0, 4))
    assert table.can_see("s1", "g1") == (table.sees_from("s1", (1, 0), (0, 4), table.unit("g1")))


def test_fc_5_9_a_line_from_a_building_is_kept_apart_for_squads_and_vehicles():
    table = position("BBB..\n.....", {"s1": (0, 0), "T1": (1, 0), "g1": (0, 4)})
    assert table.can_see("s1", "g1")
    table.stand("s1", (1, 1))
    table.stand("T1", (0, 0))
    assert not table.can_see("T1", "g1")


def test_fc_5_9_lines_are_worked_out_anew_when_there_is_no_room_for_more():
    table = position("..f..\n.....", {"s1": (0, 0), "s2": (1, 0), "g1": (0, 4), "g2": (1, 4)})
    pairs = list(itertools.product(("s1", "s2"), ("g1", "g2")))
    before = [table.can_see(*pair) for pair in pairs]
    assert set(before) == {True, False}
    table.game.work.n_posts = st.MOST_POSTS - 1
    assert [table.can_see(*pair) for pair in pairs] == before
    assert table.game.work.n_posts == 4


def test_fc_5_9_a_side_sees_what_any_of_its_able_units_sees():
    table = position("..f..\n.....", {"s1": (0, 0), "s2": (1, 0), "T1": (1, 1), "g1": (1, 4)})
    assert not table.can_see("s1", "g1")
    assert table.is_seen("g1")
    assert not table.is_seen("s1")
    assert table.is_seen("s2")
    # Who is able counts alone: neither without men, nor able neither to fire nor to move.
    for name in ("s1", "s2"):
        table.set(name, men=0)
    table.remove_the_fallen()
    assert table.is_seen("g1")
    table.set("T1", cannot_fire=1, cannot_move=1)
    assert not table.is_seen("g1")


def test_fc_5_9_is_seen_is_what_anybody_sees_whatever_moves():
    """The memory of who saw whom, and who was looked for in vain, never tells anything else."""
    art, heights = random_ground(7, 12)
    names = ["s1", "s2", "T1", "g1", "g2", "P1"]
    table = position(art, {name: (0, column) for column, name in enumerate(names)}, heights=heights)
    generator = np.random.default_rng(3)
    told = set()
    for _ in range(150):
        name = names[generator.integers(6)]
        place = tuple(int(n) for n in generator.integers(0, 12, 2))
        if table.game.work.occupant[cell_of(*place)] == st.NOWHERE:
            table.stand(name, place)
        for unit in names:
            others = [other for other in names if (other[0] in "gP") != (unit[0] in "gP")]
            seen = any(table.sees_from(o, table.at(o), table.at(unit), table.unit(unit)) for o in others)
            assert table.is_seen(unit) == seen
            told.add(seen)
    assert told == {True, False}


HIDDEN = {"s1": (0, 0), "T1": (1, 0), "g1": (0, 6), "P1": (1, 3), "g2": None}
WALL = "....f..\n....f..\n....f.."


def test_fc_5_9_policies_know_only_what_their_side_sees(monkeypatch):
    table = Table(monkeypatch, position(WALL, HIDDEN))
    shown = table.look(0)
    at = {name: shown[table.position.unit(name)] for name in HIDDEN}
    assert (at["P1"].status, at["P1"].location) == (st.ON_MAP, cell_of(1, 3))
    for name in ("g1", "g2"):
        assert (at[name].status, at[name].location, at[name].men, at[name].ammunition) == (st.UNSEEN, -1, 0, 0)
        assert (at[name].side, at[name].kind) == (st.GERMAN, st.SQUAD)
    view = table.position.views[0]
    assert view.work.occupant[cell_of(0, 6)] == st.NOWHERE
    assert view.work.occupant[cell_of(1, 3)] == table.position.unit("P1")
    # Its own units it knows in full, and the Germans know nothing of s1.
    assert at["s1"].ammunition == 6
    assert table.look(1)[table.position.unit("s1")].status == st.ON_MAP  # the Panther sees it


def test_fc_5_9_what_is_hidden_changes_nothing_that_is_shown(monkeypatch):
    """The view is the same byte for byte wherever the hidden unit is and whatever it has done."""
    views = []
    for place, fields in (((0, 6), {}), ((2, 5), {"men": 3, "ammunition": 1, "morale": "high", "moved": 1})):
        position_ = position(WALL, {**HIDDEN, "g1": place})
        table = Table(monkeypatch, position_.set("g1", **fields))
        position_.state.sides[1]["ammunition"] = place[0]
        table.look(0)
        view = position_.views[0]
        views.append((view.state.units.tobytes(), view.state.places.tobytes(), view.state.sides.tobytes(),
                      view.work.occupant.tobytes()))  # fmt: skip
    assert views[0] == views[1]


def test_fc_5_9_who_is_gone_is_shown_and_who_goes_out_of_sight_is_not(monkeypatch):
    table = Table(monkeypatch, position(WALL, HIDDEN))
    unit = table.position.unit("P1")
    assert table.look(0)[unit].status == st.ON_MAP
    table.position.stand("P1", (1, 5))
    assert table.look(0)[unit].status == st.UNSEEN
    assert table.position.views[0].work.occupant[cell_of(1, 3)] == st.NOWHERE
    table.position.set("P1", men=0)
    table.position.remove_the_fallen()
    assert table.look(0)[unit].status == st.GONE


def test_fc_5_9_the_own_side_is_shown_as_it_moves(monkeypatch):
    """The second unit finds the first where it has gone; what the enemy shows is that of the start of the phase."""
    table = Table(monkeypatch, position("." * 9 + "\n" + "....f....", {"s1": (1, 0), "s2": (0, 0), "g1": (1, 8)}))
    seen = []

    def watch(game, doctrine, memory, unit, order):
        seen.append([(int(row.status), int(row.location)) for row in game.state.units[:3]])
        order[0] = cell_of(0, 1)
        return 1 if unit == 0 else 0

    face = hold.POLICY.decisions[DECISIONS.index("face")]
    turn.movement(table.position.game, table.position.seat(0, move=watch, face=face), 0)
    assert seen[0][0] == (st.ON_MAP, cell_of(1, 0))
    assert seen[1][0] == (st.ON_MAP, cell_of(0, 1))
    assert seen[0][2] == seen[1][2]
