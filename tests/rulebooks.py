"""What a rulebook brings for the tests that are the same for all: modules named after it, beside this one."""

import functools
import importlib
import importlib.util
from types import ModuleType

import sim

PARTS = {
    "games": ("WILD", "SHORT", "GOLDEN", "EXPERIMENT", "REPLAYED"),
    "checks": ("CHECKS",),
    "positions": ("altered", "rules_document", "loads", "words"),
}
"""``tests/<rulebook>_<part>.py`` and what has to be in it.

- games: ``WILD``, matches that roam, under various options; ``SHORT``, settings with which a game of it can be played
  with the compiler off; ``GOLDEN``, matches and replications of golden games by name; ``EXPERIMENT``, the ``[[play]]``
  tables of a small experiment; ``REPLAYED``, the match whose page is looked at;
- checks: ``CHECKS``, functions of setup, names and record that hold of every game;
- positions: how tests of its clauses get their rules: ``rules_document()`` with the values that stand in ``altered`` by
  path, ``loads(rules)``, which refuses what cannot be, and ``words()``, names that may stand in a rules file.
"""


@functools.cache
def part_of(rulebook: str, part: str) -> ModuleType:
    """A module that a rulebook brings."""
    return importlib.import_module(f"tests.{rulebook}_{part}")


def with_part(part: str) -> list[str]:
    """The rulebooks that bring a part; `tests.contract.test_every_game` names those that do not."""
    return [name for name in sim.RULEBOOKS if importlib.util.find_spec(f"tests.{name}_{part}") is not None]


def lacking(rulebook: str) -> list[str]:
    """What a rulebook does not bring, as ``tests/<rulebook>_<part>.py`` or a name in it."""
    found = []
    for part, names in PARTS.items():
        file = f"tests/{rulebook}_{part}.py"
        if rulebook not in with_part(part):
            found.append(file)
        else:
            found += [f"{name} in {file}" for name in names if not hasattr(part_of(rulebook, part), name)]
    return found
