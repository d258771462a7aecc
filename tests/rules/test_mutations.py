"""Whether the tests of a clause notice a changed number: ``pytest -m slow tests/rules/test_mutations.py``.

Every leaf of a rulebook's ``rules.toml``, number, name or option, is altered in turn, and the tests that bear its
clause in their names are run with it, in this process. One of them has to fail.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.rules_file import BadInput, with_value
from tests import barbarossa_positions

HELPERS = {"barbarossa": barbarossa_positions}
"""Of each rulebook the module through which its tests get their rules: what it says in ``altered`` is different."""


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


def alterations() -> Iterator[Any]:
    """Rulebook, clause, path and values to try of every leaf: of numbers and options each, of names the first."""
    for rulebook, helper in HELPERS.items():
        document = helper.rules_document()
        words = [word for _, entry in entries(document) for _, word in leaves(entry["value"]) if isinstance(word, str)]
        for path, entry in entries(document):
            for below, value in leaves(entry["value"], path):
                values = others(value, entry, [*words, *helper.words()])
                for tried in [values] if isinstance(value, str) and "choices" not in entry else ([v] for v in values):
                    name = f"{rulebook}-{below}" + (f"-{tried[0]}" if len(tried) == 1 else "")
                    yield pytest.param(rulebook, entry["clause"], below, tried, id=name)


@pytest.mark.slow
@pytest.mark.parametrize(("rulebook", "clause", "path", "values"), list(alterations()))
def test_a_changed_number_is_noticed(monkeypatch, rulebook, clause, path, values):
    helper = HELPERS[rulebook]
    for value in values:
        try:
            helper.loads(with_value(helper.rules_document(), path, value, "rules.toml"))
        except BadInput:
            continue
        break
    else:
        return  # nothing else is accepted, so nothing else can creep in
    monkeypatch.setitem(helper.altered, path, value)
    monkeypatch.delenv("DUOSUAN_TEST_REPORTS", raising=False)
    name = f"test_{clause.lower().replace('-', '_').replace('.', '_')}_"
    folder = Path(__file__).parent / rulebook
    quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=--import-mode=importlib"]
    code = pytest.main([str(folder), "-k", name, "-x", *quiet])
    assert code != pytest.ExitCode.NO_TESTS_COLLECTED, f"no test is named {name}..."
    assert code == pytest.ExitCode.TESTS_FAILED, f"{path} = {value!r} goes unnoticed by the tests of {clause}"
