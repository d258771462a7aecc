"""What there is to play: scenarios with their maps and rules, policies and named doctrines, each found by its name."""

import os
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Literal, NamedTuple

import sim
from sim import policy_trial, user_policy
from sim.compiled import compiled
from sim.game import SIDES, Player, Policy
from sim.policy_checks import check_decisions, compile_decisions
from sim.rules_file import NAME_PATTERN, BadInput, Name, Strict, check, one_of, read_toml, with_value


class ScenarioRef(NamedTuple):
    """A scenario of a rulebook: its name, other names for it, its title and its file.

    Of a generated scenario, ``family_seed``, ``path`` is the rulebook's folder and ``seed`` says which one it is.
    """

    rulebook: str
    name: str
    path: Path
    aliases: tuple[str, ...] = ()
    title: str = ""
    seed: int | None = None

    @property
    def full_name(self) -> str:
        """``rulebook/name``: what an archive calls the scenario."""
        return f"{self.rulebook}/{self.name}"


class Documents(NamedTuple):
    """The three documents that make a game, as read from TOML."""

    scenario: dict[str, Any]
    board: dict[str, Any]
    rules: dict[str, Any]


class PolicyRef(NamedTuple):
    """A policy that has a name: one that comes with the rulebook, or one with a named doctrine.

    ``policy`` is the rulebook's own, ``doctrine`` what is set of it, ``path`` the file of a named doctrine.
    """

    rulebook: str
    side: int
    name: str
    policy: str
    summary: str
    doctrine: dict[str, float]
    path: Path | None = None


class PlayerSpec(NamedTuple):
    """What plays a side, as plain data that travels: the policy, every number of its doctrine, a user's sources.

    ``sources`` (path: text) and ``main`` are empty for a policy that comes with the rulebook. ``cost`` only sizes
    shards, see `sim.game.Policy`.
    """

    rulebook: str
    side: int
    name: str
    policy: str
    doctrine: dict[str, float]
    sources: dict[str, str] = {}
    main: str = ""
    cost: float = 1.0

    def player(self) -> Player:
        """The policy and its doctrine, ready to play."""
        if self.sources:
            policy = user_policy.from_sources(self.sources, self.main, self.policy)
            _check_user_policy(policy, self.rulebook, self.side, self.main)
        else:
            policy = sim.rulebook(self.rulebook).policy(self.policy, self.side)
        return Player(policy, policy.numbers(self.doctrine))

    def compile(self) -> None:
        """Compiles the policy's decisions. Raises `BadInput` for a user's policy that cannot be compiled."""
        book = sim.rulebook(self.rulebook)
        policy = self.player().policy
        if self.sources:
            compile_decisions(policy, book.decisions[self.side], book.decision_signature, self.main)
            return
        for decide in policy.decisions:
            compiled(decide, book.decision_signature)


def _check_user_policy(policy: Policy, rulebook: str, side: int, file: str | Path) -> None:
    if policy.side not in (side, None):
        raise BadInput(f"policy {policy.name} plays {SIDES[policy.side]}, not {SIDES[side]}", file=file)
    book = sim.rulebook(rulebook)
    check_decisions(policy, book.decisions[side], len(book.decision_signature.args), str(file))


def skip_trials(inputs: Mapping[str, Any]) -> None:
    """Takes the users' policies among an experiment's inputs as tried: in a worker, whose driver has done so."""
    for document in inputs.values():
        if document.get("sources"):
            policy_trial.skip(document["sources"])


class DoctrineFile(Strict):
    """A named doctrine: ``configs/policies/<rulebook>/*.toml``."""

    name: Name
    rulebook: str
    side: Literal["red", "blue"]
    policy: str
    summary: str
    doctrine: dict[str, float | bool] = {}


def configs() -> Path:
    """The built-in configurations: beside the packages in a checkout, inside this package where it is installed."""
    checkout = Path(__file__).parent.parent / "configs"
    return checkout if checkout.is_dir() else Path(str(resources.files("cluster"))) / "configs"


def scenarios() -> list[ScenarioRef]:
    """All built-in scenarios, by rulebook and name."""
    return [
        _scenario(path, rulebook)
        for rulebook in sim.RULEBOOKS
        for path in sorted((configs() / "scenarios" / rulebook).glob("*.toml"))
    ]


def find_scenario(text: str, folder: Path | None = None) -> ScenarioRef:
    """The scenario that a text names: ``rulebook/name``, a name or alias that only one has, or a path to a .toml.

    A relative path starts at the folder, by default the current one. Raises `BadInput` for anything else.
    """
    if text.endswith(".toml"):
        return _scenario((folder or Path()) / text)
    known = scenarios()
    found = [ref for ref in known if text in _names_of(ref)]
    if len(found) > 1:
        raise BadInput(f"{text!r} is a scenario of several rulebooks: use {one_of(ref.full_name for ref in found)}")
    if not found and (ref := generated(text)):
        return ref
    if not found:
        names = [name for ref in known for name in (ref.full_name, ref.name, *ref.aliases)]
        near = one_of(names, text).partition(" (did")[1:]
        raise BadInput(f"there is no scenario {text!r}: use {one_of(ref.full_name for ref in known)}{''.join(near)}")
    return found[0]


def generated(text: str) -> ScenarioRef | None:
    """The generated scenario that a text names, as ``random_7`` or ``tank_hex/random_7``."""
    given, _, name = text.rpartition("/")
    family, _, seed = name.rpartition("_")
    if not re.fullmatch("0|[1-9][0-9]{0,17}", seed):
        return None
    for rulebook in sim.RULEBOOKS:
        if given in ("", rulebook) and family in sim.rulebook(rulebook).families:
            return ScenarioRef(rulebook, name, Path(sim.__path__[0]) / rulebook, (), f"Generated: {name}", int(seed))
    return None


def _names_of(ref: ScenarioRef) -> list[str]:
    return [name for own in (ref.name, *ref.aliases) for name in (own, f"{ref.rulebook}/{own}")]


def _scenario(path: Path, rulebook: str = "") -> ScenarioRef:
    document = read_toml(path)
    given = rulebook or document.get("rulebook")
    if not isinstance(given, str) or given not in sim.RULEBOOKS:
        raise BadInput(f"{given!r} is wrong: use {one_of(sim.RULEBOOKS, given)}", file=path, key="rulebook")
    name = document.get("name")
    if not isinstance(name, str) or not re.fullmatch(NAME_PATTERN, name):
        message = f"{name!r} is wrong: use a text like {NAME_PATTERN}" if "name" in document else "is missing"
        raise BadInput(message, file=path, key="name")
    aliases = document.get("aliases", ())
    # What else is wrong with them is said where a game is loaded.
    known = tuple(aliases) if isinstance(aliases, list) else ()
    return ScenarioRef(given, name, path, known, str(document.get("title", "")))


def documents(ref: ScenarioRef) -> Documents:
    """Scenario, map and rules of a scenario."""
    rules = read_toml(Path(sim.__path__[0]) / ref.rulebook / "rules.toml")
    if ref.seed is not None:
        generate = sim.rulebook(ref.rulebook).families[ref.name.rpartition("_")[0]]
        return Documents(*generate(ref.seed), rules)
    scenario = read_toml(ref.path)
    return Documents(scenario, read_toml(map_file(ref, scenario)), rules)


def map_file(ref: ScenarioRef, scenario: Mapping[str, Any]) -> Path:
    """The file of a scenario's map: the one beside the scenario, else the built-in one of that name."""
    name = scenario.get("map")
    beside = ref.path.parent / f"{name}.toml"
    maps = configs() / "maps" / ref.rulebook
    # Not `Path.is_file`: that raises an error for a name that is too long to be one of a file.
    path = beside if os.path.isfile(beside) and beside != ref.path else maps / f"{name}.toml"
    if not isinstance(name, str) or name != Path(name).name or not os.path.isfile(path):
        known = sorted(found.stem for found in maps.glob("*.toml"))
        raise BadInput(f"there is no map {name!r}: use {one_of(known, name)}", file=ref.path, key="map")
    return path


def settle(given: Documents, settings: Mapping[str, Any]) -> Documents:
    """Documents with other values at dotted paths: ``scenario.…``, ``map.…``, ``rules.…`` or ``options.…``.

    Raises `BadInput` for a path that leads nowhere. Whether a value is allowed is checked where a game is loaded.
    """
    scenario, board, rules = given
    for path, value in settings.items():
        root, _, rest = path.partition(".")
        if root == "scenario" and rest:
            scenario = with_value(scenario, rest, value, "scenario")
        elif root == "map" and rest:
            board = with_value(board, rest, value, "map")
        elif root == "rules" and rest:
            rules = with_value(rules, rest, value, "rules")
        elif root == "options" and rest:
            rules = with_value(rules, path, value, "rules")
        else:
            roots = ("scenario", "map", "rules", "options")
            raise BadInput(f"leads nowhere: a path starts with {one_of((f'{r}.' for r in roots), root)}", key=path)
    return Documents(scenario, board, rules)


def policies(rulebook: str, side: int) -> list[PolicyRef]:
    """A side's policies: those of the rulebook in its order, then the named doctrines by name."""
    built_in = [
        PolicyRef(rulebook, side, policy.name, policy.name, policy.summary, {})
        for policy in sim.rulebook(rulebook).policies
        if policy.side in (side, None)
    ]
    named = [_doctrine(path, rulebook) for path in sorted((configs() / "policies" / rulebook).glob("*.toml"))]
    return built_in + [ref for ref in named if ref.side == side]


def _doctrine(path: Path, rulebook: str) -> PolicyRef:
    file = check(DoctrineFile, read_toml(path), path)
    if file.rulebook != rulebook:
        raise BadInput(f"{file.rulebook!r} is wrong: the file is one of {rulebook}", file=path, key="rulebook")
    doctrine = {name: float(value) for name, value in file.doctrine.items()}
    return PolicyRef(rulebook, SIDES.index(file.side), file.name, file.policy, file.summary, doctrine, path)


def find_player(
    rulebook: str,
    side: int,
    text: str,
    inline: Mapping[str, Any] | None = None,
    settings: Mapping[str, float] | None = None,
    folder: Path | None = None,
) -> PlayerSpec:
    """What plays a side under a name: a policy, a named doctrine or ``path/to/file.py:policy``.

    ``inline`` is a doctrine that an experiment names by the text: its ``policy``, ``doctrine`` and ``cost``;
    ``settings`` are numbers of the doctrine that go before all others. A relative path starts at the folder, by
    default the current one. Raises `BadInput` for an unknown name or number.
    """
    own = dict(inline or {})
    base = str(own.get("policy", text))
    numbers = {**own.get("doctrine", {}), **(settings or {})}
    sources: dict[str, str] = {}
    main = ""
    if ".py:" in base:
        file, _, name = base.rpartition(":")
        path = (folder or Path()) / file
        policy, sources, _ = user_policy.load(path, name)
        main = path.name
        _check_user_policy(policy, rulebook, side, path)
        text = text if inline else f"{main}:{name}"
    else:
        known = {ref.name: ref for ref in policies(rulebook, side)}
        if base not in known:
            raise BadInput(f"{rulebook} has no policy {base!r} for {SIDES[side]}: use {one_of(known, base)}")
        name = known[base].policy
        policy = sim.rulebook(rulebook).policy(name, side)
        numbers = {**known[base].doctrine, **numbers}
    fields = [field.name for field in policy.doctrine]
    doctrine = dict(zip(fields, map(float, policy.numbers(numbers)), strict=False))
    return PlayerSpec(rulebook, side, text, name, doctrine, sources, main, float(own.get("cost", policy.cost)))
