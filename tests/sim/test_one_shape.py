"""The games are of one shape: who knows one knows where to look in the others. And doctrines mean what they say."""

import ast
import importlib
import pkgutil
import re
from pathlib import Path
from types import ModuleType

import pytest

import sim
from sim.game import DoctrineField, Policy, with_defaults

ROOT = Path(sim.__file__).parent
FILES = {
    "appraisal.py": set(),
    "board.py": {"BOARD", "RULES", "Setup", "empty_setup"},
    "documents.py": {"RulesFile", "ScenarioFile"},
    "doctrine.py": {"COMMON", "OWN", "common_doctrine"},
    "policy.py": {"moving_by"},
    "purposes.py": set(),
    "record.py": {"snapshot", "count_up", "write_result"},
    "rulebook.py": {"RULEBOOK"},
    "rules/game.py": {"Game", "note"},
    "seat.py": {"Seat", "DECISIONS", "seen_by", "ask"},
    "state.py": {"STATE", "LOG", "ORDER", "DESK", "TABLES", "empty_state"},
    "turn.py": {"play_games", "play_game", "play_turn"},
}
"""Files of every game and names that each of them has."""


LARGE = [book for book in sim.RULEBOOKS if (ROOT / book / "seat.py").is_file()]
"""Rulebooks with rules enough for all these files; one of few rules takes its types from `sim.frame`."""


def module_of(rulebook: str, file: str) -> ModuleType:
    return importlib.import_module(f"sim.{rulebook}.{file.removesuffix('.py').replace('/', '.')}")


def policy_modules(rulebook: str) -> list[ModuleType]:
    package = importlib.import_module(f"sim.{rulebook}.policies")
    return [importlib.import_module(f"{package.__name__}.{it.name}") for it in pkgutil.iter_modules(package.__path__)]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("rulebook", LARGE)
def test_every_game_has_the_same_files_and_names(rulebook, file):
    assert FILES[file] - vars(module_of(rulebook, file)).keys() == set()


@pytest.mark.parametrize("rulebook", LARGE)
def test_the_readme_names_every_file(rulebook):
    folder = ROOT / rulebook
    named = re.findall(r"^\| `([\w./]+)` \|", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py", "rulebook.py"}
    assert {name for name in named if "." in name or "/" in name} == files | {"rules.toml", "rules/", "policies/"}


@pytest.mark.parametrize("rulebook", sim.RULEBOOKS)
def test_every_decision_is_asked_in_the_same_form(rulebook):
    """Functions of policies named like a decision, and those that are one: the same five arguments."""
    for policy in sim.rulebook(rulebook).policies:
        for decide in policy.decisions:
            code = getattr(decide, "py_func", decide).__code__
            assert code.co_varnames[: code.co_argcount] == ("game", "doctrine", "memory", "subject", "order")


# Doctrines


def readers() -> list[tuple[str, ModuleType]]:
    """Modules that read doctrines: of every game its policies, and what they share."""
    shared = [(book, module_of(book, file)) for book in LARGE for file in ("appraisal.py", "policy.py")]
    shared.append(("first_contact", module_of("first_contact", "ways.py")))
    return shared + [(book, module) for book in LARGE for module in policy_modules(book)]


def places_read(module: ModuleType) -> list[ast.expr]:
    """What stands in ``doctrine[...]``; of a sum its first term. Slices are not among them."""
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    found = [
        node.slice
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("doctrine")
    ]
    return [it.left if isinstance(it, ast.BinOp) else it for it in found if not isinstance(it, ast.Slice)]


@pytest.mark.parametrize(("rulebook", "module"), readers(), ids=lambda it: getattr(it, "__name__", it))
def test_a_doctrine_is_read_by_the_names_of_its_fields(rulebook, module):
    """A field more in the common doctrine moves all of a policy's own: no place is a number of its own."""
    fields = getattr(module, "DOCTRINE", module_of(rulebook, "doctrine.py").COMMON)
    for place in places_read(module):
        assert isinstance(place, ast.Name), f"doctrine[{ast.unparse(place)}]"
        assert fields[getattr(module, place.id)].name == place.id.lower()


def test_every_policy_is_one_of_a_module():
    """So that the test above has seen all of them."""
    for book in LARGE:
        own = [module.POLICY.name for module in policy_modules(book)]
        known = [policy.name for policy in sim.rulebook(book).policies if policy.decisions]
        assert sorted(own) == sorted(known)
        assert all(isinstance(module.POLICY, Policy) for module in policy_modules(book))


@pytest.mark.parametrize("rulebook", LARGE)
def test_the_common_doctrine_has_its_fields_by_name(rulebook):
    doctrine = module_of(rulebook, "doctrine.py")
    assert len(doctrine.COMMON) == doctrine.OWN
    for place, field in enumerate(doctrine.COMMON):
        assert getattr(doctrine, field.name.upper()) == place


def test_a_default_of_no_field_is_refused():
    fields = (DoctrineField("near", 1, "a number"),)
    assert with_defaults(fields, near=3)[0].default == 3
    with pytest.raises(ValueError, match="no fields of this doctrine: far"):
        with_defaults(fields, far=2)
