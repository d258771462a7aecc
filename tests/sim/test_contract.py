"""A rulebook that lacks something is refused when it is loaded, in one line that names it."""

import pytest

import sim
from sim.contract import flaw_of
from sim.fields import Field
from sim.game import RED, DoctrineField
from sim.rules_file import BadInput

BOOK = sim.rulebook("brandubh")


def table(name, change):
    """The rulebook with the fields of a table as a function has them."""
    fields = tuple(change(getattr(BOOK.tables, name)))
    return BOOK._replace(tables=BOOK.tables._replace(**{name: fields}))


def without(name, field):
    return table(name, lambda fields: (it for it in fields if it.name != field))


def other(name, field, **values):
    return table(name, lambda fields: (it._replace(**values) if it.name == field else it for it in fields))


def more(name, field):
    return table(name, lambda fields: (*fields, field))


def policy(**values):
    return BOOK._replace(policies=(BOOK.policies[1]._replace(**values),))


def signature(decisions, state=True):
    """A kernel's signature with so many decisions, or a setup without a state."""
    first, *rest = BOOK.kernel_signature.args[: 8 + decisions]
    setup = first if state else rest[0]
    return BOOK._replace(kernel_signature=type("Signature", (), {"args": (setup, *rest)}))


BROKEN = [
    (BOOK._replace(name="other"), "name is 'other': use 'brandubh', as in sim.RULEBOOKS"),
    (BOOK._replace(version=""), "version is empty"),
    (BOOK._replace(title=""), "title is empty"),
    (BOOK._replace(cost=0.0), "cost is 0: use the seconds that a game takes"),
    (without("games", "winner"), "tables.games has no field 'winner'"),
    (without("games", "outcome"), "tables.games has no field 'outcome'"),
    (without("games", "margin"), "tables.games has no field 'margin'"),
    (without("games", "turns"), "tables.games has no field 'turns'"),
    (without("games", "end_reason"), "tables.games has no field 'end_reason'"),
    (without("games", "fault"), "tables.games has no field 'fault'"),
    (without("games", "fault_turn"), "tables.games has no field 'fault_turn'"),
    (without("games", "fault_value"), "tables.games has no field 'fault_value'"),
    (without("games", "red_territory"), "tables.games has no field 'red_territory'"),
    (without("places", "holder"), "tables.places has no field 'holder'"),
    (without("events", "turn"), "tables.events has no field 'turn'"),
    (without("events", "kind"), "tables.events has no field 'kind'"),
    (other("games", "winner", names=("blue", "red", "draw")), "tables.games.winner: names are not red, blue, draw"),
    (other("games", "end_reason", names=("won",)), "tables.games.end_reason: names have no 'failed'"),
    (other("games", "fault", names=("bad",)), "tables.games.fault: names do not begin with 'none'"),
    (other("games", "margin", archive="int8"), "tables.games.margin: archive is 'int8': use 'int32'"),
    (other("sides", "won", archive="text"), "tables.sides.won: archive is 'text': use one of"),
    (other("sides", "won", meaning=""), "tables.sides.won has no meaning"),
    (other("units", "kind", names=()), "tables.units.kind has no names"),
    (other("units", "square", names="square"), "tables.units.square has no names"),
    (more("sides", Field("won", "int8", "again")), "tables.sides.won is there twice"),
    (more("units", Field("cell", "int8", "cell of the board")), "tables.units.cell is a column that the archive adds"),
    (more("sides", Field("turn", "int8", "turn")), "tables.sides.turn is a column that the archive adds"),
    (without("units", "side"), "unit_side: units have either"),
    (BOOK._replace(unit_side=RED), "unit_side: units have either"),
    (without("units", "kind"), "unit_kind: units have either"),
    (BOOK._replace(place_kinds={"[": "x", ".*": "y"}), "place_kinds: '[' is no regular expression"),
    (BOOK._replace(place_kinds={"A.": "sector"}), "place_kinds: the last pattern is not '.*'"),
    (BOOK._replace(place_kinds={}), "place_kinds: the last pattern is not '.*'"),
    (BOOK._replace(policies=(BOOK.policies[0]._replace(side=RED),)), "policies: there is none for blue"),
    (policy(decisions=()), "policy greedy has 0 decisions for red: use move"),
    (policy(summary=""), "policy greedy has no summary"),
    (policy(cost=0.5), "policy greedy: cost is 0.5"),
    (
        policy(doctrine=(DoctrineField("a", 5, "a", "", 0, 1),)),
        "policy greedy: the default of a is not within its bounds",
    ),
    (policy(doctrine=(DoctrineField("a", 1, ""),)), "policy greedy: a has no meaning"),
    (signature(1), "kernel_signature takes 1 decisions: use 2, red's and blue's"),
    (signature(2, state=False), "kernel_signature: the setup has no member 'state'"),
]


@pytest.mark.parametrize(("book", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_what_is_missing_is_named(book, message):
    found = flaw_of("brandubh", book)
    assert found is not None
    assert found.startswith(message)
    assert "\n" not in found


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_a_rulebook_has_all(rulebook):
    assert flaw_of(rulebook, sim.rulebook(rulebook)) is None


def test_it_is_refused_when_it_is_loaded(monkeypatch):
    monkeypatch.setitem(sim.RULEBOOKS, "tafl", sim.RULEBOOKS["brandubh"])
    with pytest.raises(BadInput, match=r"^rulebook tafl: name is 'brandubh': use 'tafl'"):
        sim.rulebook("tafl")
