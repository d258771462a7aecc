"""What is wrong with a file is said in one line."""

from typing import Annotated, Literal

import pytest
from pydantic import Field

from sim.rules_file import BadInput, Entry, Name, Option, Strict, check, one_of, read_toml, with_value


class Weapon(Strict):
    range: Entry[int]
    kind: Literal["rifle", "gun"] = "rifle"


class Fleet(Strict):
    ships: int = Field(ge=1)
    flag: Weapon | None = None


class Army(Strict):
    name: Name
    weapons: dict[str, Weapon] = {}
    men: list[Annotated[int, Field(ge=1)]] = []
    five: Option | None = None
    fleet: Annotated[Fleet, Field(description="if it has one")] | None = None
    fleets: dict[str, list[Fleet] | None] = {}


ENTRY = {"value": 3, "clause": "BB-1.1", "unit": "hex"}
OPTION = {"value": "reroll", "choices": ["reroll", "two_attacks"], "clause": "BB-5.2"}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "army.toml: name: is missing"),
        (
            {"nam": "a"},
            "army.toml: nam: unknown key; allowed: name, weapons, men, five, fleet or fleets (did you mean name?)",
        ),
        ({"name": "A b"}, 'army.toml: name: "A b" is wrong: string should match pattern'),
        ({"name": 3}, "army.toml: name: 3 is wrong: input should be a valid string"),
        ({"name": "a", "men": [1, 0]}, "army.toml: men.1: 0 is wrong: input should be greater than or equal to 1"),
        ({"name": "a", "men": [True]}, "army.toml: men.0: true is wrong: input should be a valid integer"),
        (
            {"name": "a", "weapons": {"k98": {"range": ENTRY, "knd": "gun"}}},
            "army.toml: weapons.k98.knd: unknown key; allowed: range or kind (did you mean kind?)",
        ),
        (
            {"name": "a", "weapons": {"k98": {"range": {**ENTRY, "note ": ""}}}},
            "army.toml: weapons.k98.range.note : unknown key; allowed: value, clause, unit or note (did you mean",
        ),
        (
            {"name": "a", "five": {**OPTION, "choise": []}},
            "army.toml: five.choise: unknown key; allowed: value, choices, clause or note (did you mean choices?)",
        ),
        (
            {"name": "a", "fleet": {"ship": 3}},
            "army.toml: fleet.ship: unknown key; allowed: ships or flag (did you mean ships?)",
        ),
        (
            {"name": "a", "fleet": {"ships": 3, "flag": {"rnge": ENTRY}}},
            "army.toml: fleet.flag.rnge: unknown key; allowed: range or kind (did you mean range?)",
        ),
        (
            {"name": "a", "fleets": {"north": [{"ships": 3, "flg": 3}]}},
            "army.toml: fleets.north.0.flg: unknown key; allowed: ships or flag (did you mean flag?)",
        ),
        (
            {"name": "a", "weapons": {"k98": {"range": {**ENTRY, "clause": "1.1"}}}},
            'army.toml: weapons.k98.range.clause: "1.1" is wrong: string should match pattern',
        ),
        (
            {"name": "a", "weapons": {"k98": {"range": {**ENTRY, "value": 1.5}}}},
            "army.toml: weapons.k98.range.value: 1.5 is wrong: input should be a valid integer",
        ),
        (
            {"name": "a", "five": {**OPTION, "value": "rerol"}},
            'army.toml: five: \'rerol\' is not allowed: use "reroll" or "two_attacks" (did you mean "reroll"?)',
        ),
        (
            {"name": "a", "five": {**OPTION, "value": 1, "choices": [False, True]}},
            "army.toml: five: 1 is not allowed: use false or true",
        ),
    ],
)
def test_the_first_thing_that_is_wrong(document, message):
    with pytest.raises(BadInput) as raised:
        check(Army, document, "army.toml")
    said = " ".join(str(raised.value).split())
    assert said.startswith(" ".join(message.split()))
    assert "\n" not in str(raised.value)


def test_a_long_value_is_cut_short():
    with pytest.raises(BadInput) as raised:
        check(Army, {"name": "X" * 500}, "army.toml")
    assert len(str(raised.value)) < 200


def test_an_option_is_known_by_its_place():
    assert [check(Option, {**OPTION, "value": value}, "f").number for value in OPTION["choices"]] == [0, 1]
    both = {"value": True, "choices": [False, True], "clause": "BB-7.1"}
    assert check(Option, both, "f").number == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no such file"),
        (b"a = ", "is not valid TOML"),
        (b"a = '\xff'", "is not a text file in UTF-8"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, content, message):
    path = tmp_path / "rules.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=message) as raised:
        read_toml(path)
    assert str(path) in str(raised.value)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_toml(tmp_path)


@pytest.mark.parametrize(
    ("names", "given", "text"),
    [
        ([], None, "there is none"),
        (["a"], None, "a"),
        (["a", "b", "c"], None, "a, b or c"),
        (["medium", "easy"], "medum", "medium or easy (did you mean medium?)"),
        (["medium", "easy"], "zzz", "medium or easy"),
        ([1, 2], 2, "1 or 2 (did you mean 2?)"),
    ],
)
def test_one_of(names, given, text):
    assert one_of(names, given) == text


DOCUMENT = {
    "attack": {"modifier": {"value": {"1941": 3}, "clause": "BB-3.2", "unit": "pip"}},
    "table": {"value": [[1, 2], [3, 4]], "clause": "BB-3.2", "unit": "x"},
    "units": [{"name": "a"}, {"name": "b"}],
}


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("attack.modifier.1941", 9, ("attack", "modifier", "value", "1941")),
        ("table.1.0", 9, ("table", "value", 1, 0)),
        ("table", 9, ("table", "value")),
        ("units.1.name", "c", ("units", 1, "name")),
    ],
)
def test_a_value_at_a_path(path, value, where):
    changed = with_value(DOCUMENT, path, value, "f")
    node, before = changed, DOCUMENT
    for part in where:
        node, before = node[part], before[part]
    assert node == value
    assert before != value  # the document itself is as it was


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "atack.modifier",
            r"f: atack.modifier: 'atack' leads nowhere: there are attack, table or units \(did you mean",
        ),
        ("table.2", "'2' leads nowhere: there are 0 or 1"),
        ("table.x", "'x' leads nowhere"),
        ("units.0.name.first", "'first' leads nowhere: there is nothing below it"),
    ],
)
def test_a_path_that_leads_nowhere(path, message):
    with pytest.raises(BadInput, match=message):
        with_value(DOCUMENT, path, 1, "f")
