"""Every clause has a line in the rulebook's README, code that names it and a test that is named by it."""

import re
from pathlib import Path

import pytest

import sim

ROOT = Path(__file__).parent.parent.parent
CLAUSE = re.compile(r"\b([A-Z]{2})-(\d+)\.(\d+)\b")


def code_of(rulebook: str) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in (ROOT / "sim" / rulebook).rglob("*.py")}


def text_of_tests(rulebook: str) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests/rules" / rulebook).rglob("test_*.py"))


def index_of(rulebook: str) -> dict[str, list[str]]:
    """The README's clause index: of every clause the cells of its line."""
    text = (ROOT / "sim" / rulebook / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## Clause index\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()]
    return {row[0]: row[1:] for row in rows if CLAUSE.fullmatch(row[0])}


def clauses_in(text: str) -> set[str]:
    return {match.group() for match in CLAUSE.finditer(text)}


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_the_index_is_complete(rulebook):
    """Chapters and clauses are numbered without a gap, and each line says what the clause states and where it is."""
    index = index_of(rulebook)
    numbers = [tuple(map(int, CLAUSE.fullmatch(clause).groups()[1:])) for clause in index]
    assert numbers == sorted(numbers)
    for chapter in range(1, numbers[-1][0] + 1):
        clauses = [clause for number, clause in numbers if number == chapter]
        assert clauses, f"chapter {chapter}"
        first = min(clauses[0], 1)  # a chapter may have a clause 0, what comes before its first
        assert clauses == list(range(first, first + len(clauses))), f"chapter {chapter}"
    assert all(cells[0] and cells[1] for cells in index.values())


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_every_clause_has_code(rulebook):
    named = clauses_in("\n".join(code_of(rulebook).values()))
    assert set(index_of(rulebook)) - named == set()


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_every_clause_has_a_test(rulebook):
    tests = text_of_tests(rulebook)
    names = {clause: f"def test_{re.sub('[-.]', '_', clause).lower()}_" for clause in index_of(rulebook)}
    assert [clause for clause, name in names.items() if name not in tests] == []


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_no_clause_is_named_that_is_not_in_the_index(rulebook):
    index = set(index_of(rulebook))
    folder = ROOT / "sim" / rulebook
    texts = [*code_of(rulebook).values(), (folder / "rules.toml").read_text(encoding="utf-8"), text_of_tests(rulebook)]
    texts.append((folder / "README.md").read_text(encoding="utf-8"))
    assert clauses_in("\n".join(texts)) - index == set()
    named = re.findall(r"def test_([a-z]{2})_(\d+)_(\d+)_", text_of_tests(rulebook))
    assert {f"{book.upper()}-{chapter}.{clause}" for book, chapter, clause in named} - index == set()


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_the_functions_of_the_index_exist(rulebook):
    code = "\n".join(code_of(rulebook).values())
    named = {name for cells in index_of(rulebook).values() for name in re.findall(r"`(\w+)`", cells[1])}
    assert [name for name in sorted(named) if not re.search(rf"^(def|class) {name}\b", code, re.MULTILINE)] == []


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_the_options_of_the_index_are_those_of_the_rules(rulebook):
    named = {name for cells in index_of(rulebook).values() for name in re.findall(r"`(\w+)`", cells[2])}
    options = (ROOT / "sim" / rulebook / "rules.toml").read_text(encoding="utf-8").partition("\n[options]\n")[2]
    assert named == set(re.findall(r"^(\w+) = ", options, re.MULTILINE))
