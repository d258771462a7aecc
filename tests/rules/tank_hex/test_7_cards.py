"""Chapter 7: cards."""

import pytest

import sim.tank_hex.board as board
import sim.tank_hex.state as st
from sim.rules_file import BadInput
from tests.tank_hex_positions import Table, called, field_document, position, rules_document, scenario_of

UNITS = {"R1": (0, 0), "R2": (0, 1), "R3": (0, 2), "R4": (0, 3), "B1": (0, 18), "B2": (0, 19)}
ALL = 2 ** len(st.CARDS) - 1

# 7.1


def test_th_7_1_one_card_a_turn_from_seven_one_of_each(monkeypatch):
    """Always the first of those left: in the order of their numbers, and none in the eighth turn."""
    table = position(UNITS)
    play = Table(monkeypatch, table, draw=[1] * 14)
    drawn = []
    for turn in range(1, 9):
        table.state.turn = turn
        table.turn_cards_over()
        play.red.answers["aim"], play.blue.answers["aim"] = [(0, 40)], [(0, 40)]
        for kind in ("gun",):
            play.dice[kind] = [(6,)] * 12
        play.events()
        drawn.append(int(table.hidden.drawn[0]))
    assert [st.CARDS[card] for card in drawn[:7]] == list(st.CARDS)
    assert drawn[7] == st.NOWHERE
    assert table.hidden.deck[0] == 0
    faces = [roll[3] for roll in play.rolled if roll[0] == "draw" and roll[1] == 0]
    assert faces == [7, 6, 5, 4, 3, 2, 1]  # a die with as many faces as there are cards left


def test_th_7_1_each_side_has_a_deck_of_its_own(monkeypatch):
    table = position(UNITS)
    Table(monkeypatch, table, draw=[3, 3]).events()
    assert [st.CARDS[card] for card in table.hidden.drawn] == ["repair", "repair"]
    assert table.hidden.deck.tolist() == [ALL - 4, ALL - 4]


def test_th_7_1_a_card_acts_in_the_next_turn_then_lapses(monkeypatch):
    table = position(UNITS)
    play = Table(monkeypatch, table, draw=[2, 1, 3, 3]).events()
    assert not table.has_card("red", "firepower")
    play.preparation()
    assert table.has_card("red", "firepower")
    assert not table.has_card("blue", "firepower")
    play.events()
    assert table.has_card("red", "firepower")  # until the turn is over
    play.preparation()
    assert not table.has_card("red", "firepower")


@pytest.mark.parametrize(("option", "left"), [({}, 0), ({"reshuffle": True}, 7)])
def test_th_7_1_an_empty_deck(option, left):
    table = position(UNITS, **option)
    table.hidden.deck[0] = 0
    table.hidden.cards_drawn[0] = 7
    assert table.cards_left("red") == left


def test_th_7_1_the_director_sets_how_many_cards(monkeypatch):
    """Two cards for red from a deck of its own, all seven for blue."""
    table = position(UNITS, cards={"red": 2}, decks={"red": ["rush", "repair", "firepower"]})
    play = Table(monkeypatch, table, draw=[1] * 6)
    for turn in range(1, 4):
        table.state.turn = turn
        table.turn_cards_over()
        play.events()
    assert table.hidden.cards_drawn.tolist() == [2, 3]
    assert table.hidden.deck[0] == 1 << st.REPAIR
    assert table.hidden.drawn[0] == st.NOWHERE
    nothing = position(UNITS, cards={"red": 0}, reshuffle=True)
    assert nothing.cards_left("red") == 0


def test_th_7_1_a_reward_exchanges_a_card(monkeypatch):
    """In turn 2 red gives its battery, still in the deck, for reactive armour, which is not in it any more."""
    exchange = {"turn": 2, "side": "red", "gives": "battery_155", "takes": "reactive_armour"}
    table = position(UNITS, exchanges=[exchange], decks={"red": ["rush", "firepower", "battery_155"]})
    play = Table(monkeypatch, table, draw=[1] * 4).events()
    assert table.hidden.deck[0] == (1 << st.FIREPOWER) + (1 << st.CARD_155)
    table.state.turn = 2
    play.events()
    assert table.hidden.deck[0] == 1 << st.REACTIVE_ARMOUR
    (event,) = table.events("cards_exchanged")
    assert st.CARDS[event.card] == "reactive_armour"


def test_th_7_1_a_card_that_has_been_drawn_cannot_be_exchanged():
    table = position(UNITS, decks={"red": ["rush"]})
    assert not table.exchange("red", "firepower", "repair")
    assert not table.exchange("red", "rush", "rush")
    assert table.exchange("red", "rush", "repair")


def test_th_7_1_no_card_twice_in_a_deck():
    with pytest.raises(BadInput, match=r"decks\.red: a card is there twice"):
        board.load(scenario_of(UNITS, 44, 2, decks={"red": ["rush", "rush"]}), field_document(), rules_document())


def test_th_7_1_rush_the_first_three_tanks_that_move(monkeypatch):
    """Eight MP for three, five for the fourth; the march too: 16 hexes."""
    table = position({"R1": (0, 0), "R2": (1, 0), "R3": (0, 1), "R4": (1, 1), "B1": (1, 43)},
                     roads=[[(0, column) for column in range(44)]]).holds("red", "rush")  # fmt: skip
    steps = 17 * " E"
    moves = [f"R2{steps}", f"march R3{steps}", f"R1{steps}", f"R4{steps}"]
    Table(monkeypatch, table, red={"move": moves}).movement()
    assert [table.tank(name).hexes for name in ("R1", "R2", "R3", "R4")] == [8, 8, 16, 5]
    assert [table.tank(name).allowance for name in ("R1", "R2", "R3", "R4")] == [8, 8, 8, 5]
    assert len(table.events("card_played")) == 3


def test_th_7_1_firepower_for_one_shot_of_one_tank(monkeypatch):
    """R1 at level 9, R2 at 9 + 2, capped: 8 is nothing and S. The card is spent, also for the next declaration."""
    table = position(UNITS).holds("red", "firepower")
    Table(monkeypatch, table, red={"fire": ["R1 +R2 at B1", "+R3 at B2"]}, shot=[(4, 4, 6)] * 3).fire()
    assert table.shots() == ["direct R1 at B1: none", "direct R2 at B1: suppressed", "direct R3 at B2: none"]
    assert [st.CARDS[row.card] if row.card >= 0 else "" for row in table.events("direct")] == ["", "firepower", ""]
    assert table.state.sides[0].illegal == 1


def test_th_7_1_firepower_needs_the_card_and_a_shooter_that_is_named(monkeypatch):
    table = position(UNITS)
    Table(monkeypatch, table, red={"fire": ["+R1 at B1"]}, shot=[(4, 4, 6)]).fire()
    assert (table.shots(), table.state.sides[0].illegal) == (["direct R1 at B1: none"], 1)


@pytest.mark.parametrize("marker", ["fire_kill", "mobility_kill"])
def test_th_7_1_repair_at_the_start_of_the_turn(monkeypatch, marker):
    table = position(UNITS).put("R1", **{marker: 1}).put("R2", fire_kill=1)
    table.hidden.drawn[0] = st.REPAIR
    Table(monkeypatch, table, red={"repair": ["R1"]}).preparation()
    assert (table.markers("R1"), table.markers("R2")) == (set(), {"fire_kill"})
    assert table.state.sides[0].card_uses == 1


def test_th_7_1_no_repair_of_a_sound_tank_and_none_without_the_card(monkeypatch):
    table = position(UNITS).put("R2", fire_kill=1)
    table.hidden.drawn[0] = st.REPAIR
    Table(monkeypatch, table, red={"repair": ["R1"]}).preparation()
    assert table.state.sides[0].illegal == 1
    table = position(UNITS).put("R2", fire_kill=1)
    play = Table(monkeypatch, table, red={"repair": ["R2"]}).preparation()
    assert play.red.asked == []


@pytest.mark.parametrize(
    ("result", "less"),
    [
        ("destroyed", "mobility_kill"),
        ("mobility_kill", "fire_kill"),
        ("fire_kill", "suppressed"),
        ("suppressed", "none"),
    ],
)
def test_th_7_1_reactive_armour_one_step_down(result, less):
    table = position(UNITS).holds("blue", "reactive_armour")
    number = st.RESULTS.index(result)
    assert table.may_brace("blue", number)
    assert st.RESULTS[table.braced(number)] == less
    assert not table.may_brace("blue", st.NO_RESULT)
    assert not table.may_brace("red", number)


def test_th_7_1_reactive_armour_the_owner_decides_once(monkeypatch):
    """After the final result: not for S at first, then for K; and no more after that."""
    table = position(UNITS).holds("blue", "reactive_armour")
    play = Table(monkeypatch, table, red={"fire": ["R1 R2 at B1", "R3 at B2"]}, blue={"brace": [0, 1, 1]},
                 shot=[(3, 4, 6), (5, 5, 6), (5, 5, 6)]).fire()  # fmt: skip
    assert table.shots() == [
        "direct R1 at B1: suppressed",
        "direct R2 at B1: mobility_kill",
        "direct R3 at B2: destroyed",
    ]
    assert play.blue.asked.count("brace") == 2
    assert [row.braced for row in table.events("direct")] == [0, 1, 0]
    assert table.events("direct")[1].table_result == st.DESTROYED


def test_th_7_1_reactive_armour_against_shells(monkeypatch):
    table = position(UNITS).holds("blue", "reactive_armour")
    called(table, "red", "155mm", (0, 18))
    play = Table(monkeypatch, table, blue={"brace": [1]}, draw=[1, 1], gun=[(1, 2)] + [(6,)] * 5,
                 shell=[(1, 2, 6), (4, 4, 6)])  # fmt: skip
    play.events()
    assert table.markers("B1") == {"mobility_kill"}


def test_th_7_1_rapid_loading_the_last_tank_fires_twice(monkeypatch):
    """At the same target, which its own first shot may have destroyed, or at another; no more declarations after it."""
    table = position(UNITS).holds("red", "rapid_loading")
    play = Table(monkeypatch, table, red={"fire": ["R1 R2 at B1 >B2", "R3 at B1"]}, shot=[(4, 4, 6)] * 3).fire()
    assert table.shots() == ["direct R1 at B1: none", "direct R2 at B1: none", "direct R2 at B2: none"]
    assert play.red.asked == ["fire"]
    assert table.markers("B2") == {"fired_at"}
    assert table.tank("R2").shots == 2


def test_th_7_1_rapid_loading_at_the_same_target(monkeypatch):
    table = position(UNITS).holds("red", "rapid_loading")
    Table(monkeypatch, table, red={"fire": ["R1 at B1 >B1"]}, shot=[(3, 4, 6), (5, 5, 6)]).fire()
    assert table.shots() == ["direct R1 at B1: suppressed", "direct R1 at B1: destroyed"]
    table = position(UNITS).holds("red", "rapid_loading")
    Table(monkeypatch, table, red={"fire": ["R1 at B1 >B1"]}, shot=[(5, 5, 6)]).fire()
    assert table.shots() == ["direct R1 at B1: destroyed", "direct R1 at B1: not_rolled"]


def test_th_7_1_rapid_loading_in_the_fire_phase_alone_and_at_who_may_be_fired_at(monkeypatch):
    table = position(UNITS).holds("red", "rapid_loading").put("B2", fired_at=1)
    Table(monkeypatch, table, red={"fire": ["R1 at B1 >B2"]}, shot=[(4, 4, 6)]).fire()
    assert (len(table.shots()), table.state.sides[0].illegal) == (1, 1)
    table = position(UNITS).holds("blue", "rapid_loading")
    Table(monkeypatch, table, red={"move": ["R1 E"]}, blue={"react": ["B1 at R1 >R2"]}, shot=[(4, 4, 6)]).movement()
    assert (len(table.shots()), table.state.sides[1].illegal) == (1, 1)


def test_th_7_1_the_kinds_of_cards_are_those_of_the_rules(monkeypatch):
    """Without a deck of its own a side has the deck of the rules, in which every kind is there once."""
    table = position(UNITS)
    assert table.game.rules.full_deck.tolist() == [ALL, ALL]
    assert sorted(rules_document()["cards"]["kinds"]["value"]) == sorted(st.CARDS)
