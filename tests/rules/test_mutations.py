"""Whether the tests of a clause notice a changed number: ``pytest -m slow tests/rules/test_mutations.py``.

Every leaf of a rulebook's ``rules.toml``, number, name or option, is altered in turn, and the tests that bear its
clause in their names are run with it, in this process. One of them has to fail.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol  # runs an item again, as plugins for flaky tests do

from sim.rules_file import BadInput, with_value
from tests.rulebooks import part_of, with_part


def leaves(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Path and value of every leaf below a value."""
    if not isinstance(node, dict | list):
        yield path, node
        return
    for key, below in node.items() if isinstance(node, dict) else enumerate(node):
        yield from leaves(below, f"{path}.{key}")


def entries(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Path and content of every entry and option of a rules file."""
    for key, below in node.items():
        if isinstance(below, dict):
            if "value" in below and "clause" in below:
                yield f"{path}{key}", below
            else:
                yield from entries(below, f"{path}{key}.")


def others(value: Any, entry: dict[str, Any], words: list[str]) -> list[Any]:
    """Values that may stand for a value, the likeliest first."""
    if "choices" in entry:
        return [choice for choice in entry["choices"] if choice != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    beside = [word for _, word in leaves(entry["value"]) if isinstance(word, str)]
    return [word for word in (*beside, *words) if word != value]


def alterations(helper: ModuleType) -> Iterator[tuple[str, str, Any]]:
    """Clause, path and new value: of numbers and options each that is accepted, of names the first."""
    document = helper.rules_document()
    words = [word for _, entry in entries(document) for _, word in leaves(entry["value"]) if isinstance(word, str)]
    for top, entry in entries(document):
        for path, value in leaves(entry["value"], top):
            new = (other for other in others(value, entry, [*words, *helper.words()]) if accepted(helper, path, other))
            one = isinstance(value, str) and "choices" not in entry
            for other in itertools.islice(new, 1 if one else None):
                yield entry["clause"], path, other


def accepted(helper: ModuleType, path: str, value: Any) -> bool:
    try:
        helper.loads(with_value(helper.rules_document(), path, value, "rules.toml"))
    except BadInput:
        return False
    return True


class Altering:
    """A pytest that runs its tests under one altered value after another, each until one of them fails."""

    def __init__(self, helper: ModuleType, altered: list[tuple[str, Any]]) -> None:
        self.helper = helper
        self.altered = altered
        self.unnoticed: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for path, value in self.altered:
            self.helper.altered[path] = value
            try:
                if not session.items or not any(map(self._fails, session.items)):
                    self.unnoticed.append(f"{path} = {value!r}")
            finally:
                self.helper.altered.clear()
        return True

    def _fails(self, item: pytest.Item) -> bool:
        return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


@pytest.mark.slow
@pytest.mark.parametrize("rulebook", with_part("positions"))
def test_every_changed_number_is_noticed(rulebook):
    helper = part_of(rulebook, "positions")
    folder = Path(__file__).parent / rulebook
    by_clause: dict[str, list[tuple[str, Any]]] = {}
    for clause, path, value in alterations(helper):
        by_clause.setdefault(clause, []).append((path, value))
    assert sum(map(len, by_clause.values())) >= len(list(entries(helper.rules_document())))
    unnoticed = []
    for clause, altered in by_clause.items():
        altering = Altering(helper, altered)
        name = f"test_{clause.lower().replace('-', '_').replace('.', '_')}_"
        quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"]
        assert pytest.main([str(folder), "-k", name, *quiet], [altering]) in {
            pytest.ExitCode.OK,
            pytest.ExitCode.TESTS_FAILED,
        }
        unnoticed += [f"{clause}: {what}" for what in altering.unnoticed]
    assert unnoticed == []
