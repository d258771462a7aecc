"""Scenarios, policies, questions and maps described: for people as text, for programs as data."""

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from rich.markup import escape

from queries import questions


class Thing(NamedTuple):
    """Something that has a name. ``text`` has rich's markup; ``drawing`` are rulebook, map and scenario, or None."""

    kind: str
    about: dict[str, Any]
    text: str
    drawing: tuple[str, dict[str, Any], dict[str, Any] | None] | None = None


def things_called(name: str, width: int = 100, kind: str | None = None) -> list[Thing]:
    """Everything of that name, or what is of that kind: a question, else scenarios, policies (both sides') and maps.

    A path to a scenario's .toml or ``path/to/file.py:policy`` is a name, too. ``width`` is that of maps. Raises
    `BadInput` if there is nothing of that name.
    """
    if name in questions.names() and kind in (None, "question"):
        return [_question(name)]
    if found := [thing for thing in _all_called(name, width) if kind in (None, thing.kind)]:
        return found
    from sim.rules_file import BadInput

    near = difflib.get_close_matches(name, _all_names(), 1, 0.5)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise BadInput(f"there is no {kind or 'scenario, policy, question or map'} {name!r}{hint}: see duosuan list --help")


def _all_called(name: str, width: int) -> list[Thing]:
    """Everything of that name but questions."""
    import sim
    from cluster import library  # brings the games with it, a second that a question need not wait

    if name.endswith(".toml"):
        ref = library.find_scenario(name)
        sim.rulebook(ref.rulebook).load(*library.documents(ref))  # a user's own may be wrong
        return [_scenario(ref, width)]
    if ".py:" in name:
        return [_user_policy(name)]
    found = [_scenario(ref, width) for ref in library.scenarios() if name in _names(ref)]
    found += _policies(name)
    found += [_map(path, width) for path in _maps() if path.stem == name]
    if not found and (ref := library.generated(name)):
        found.append(_scenario(ref, width))
    return found


def _names(ref: Any) -> set[str]:
    return {name for own in (ref.name, *ref.aliases) for name in (own, f"{ref.rulebook}/{own}")}


def _maps() -> list[Path]:
    from cluster import library

    return sorted((library.configs() / "maps").glob("*/*.toml"))


def _all_names() -> list[str]:
    import sim
    from cluster import library
    from sim.game import BLUE, RED

    names = [*questions.names(), *(path.stem for path in _maps())]
    names += [name for ref in library.scenarios() for name in (ref.name, *ref.aliases)]
    return names + [ref.name for book in sim.RULEBOOKS for side in (RED, BLUE) for ref in library.policies(book, side)]


def _heading(name: str, kind: str, what: str) -> str:
    return f"[bold]{escape(name)}[/bold] ({kind}): {escape(what)}"


def _question(name: str) -> Thing:
    question = questions.find(name)
    lines = [
        _heading(name, "question", question.asks),
        f"[bold]Grain[/bold]    {escape(question.grain)}",
        f"[bold]Measure[/bold]  {escape(question.measure)}",
        "[bold]Parameters[/bold]",
        *(
            f"  {it.name} ({it.type}, default {'any' if it.default is None else it.default}): {escape(it.meaning)}"
            for it in question.parameters
        ),
        "[bold]Columns[/bold]",
        *(f"  {escape(column)}: {escape(meaning)}" for column, meaning in question.columns),
        f"[bold]Example[/bold]  {escape(question.example)}",
        f"[bold]SQL[/bold]\n{escape(question.sql)}",
    ]
    about = question._asdict() | {
        "parameters": [parameter._asdict() for parameter in question.parameters],
        "columns": dict(question.columns),
    }
    return Thing("question", about, "\n".join(lines))


def _scenario(ref: Any, width: int) -> Thing:
    from cluster import library
    from queries import draw

    scenario, board, _ = library.documents(ref)
    sides = ", ".join(f"{side} is {name}" for side, name in scenario["sides"].items())
    also = f", also called {', '.join(ref.aliases)}" if ref.aliases else ""
    lines = [
        _heading(ref.full_name, "scenario", f"{ref.title}{also}"),
        f"{escape(sides)}; map {escape(board['name'])}",
    ]
    drawing = ref.rulebook, board, scenario
    lines += ["", draw.text(*drawing, width)]
    about = {"name": ref.full_name, "aliases": list(ref.aliases), "scenario": scenario, "map": board["name"]}
    return Thing("scenario", about, "\n".join(lines), drawing)


def _map(path: Path, width: int) -> Thing:
    from queries import draw
    from sim.rules_file import read_toml

    board, rulebook = read_toml(path), path.parent.name
    drawing = rulebook, board, None
    picture = draw.text(*drawing, width)
    return Thing("map", board, f"{_heading(path.stem, 'map', rulebook)}\n\n{picture}", drawing)


def _policies(name: str) -> Iterator[Thing]:
    import sim
    from cluster import library
    from sim.game import SIDES

    for rulebook in sim.RULEBOOKS:
        for side in range(len(SIDES)):
            for ref in library.policies(rulebook, side):
                if name not in (ref.name, f"{rulebook}/{ref.name}"):
                    continue
                policy = sim.rulebook(rulebook).policy(ref.policy, side)
                is_either = ref.path is None and policy.side is None
                if not is_either or side == 0:  # the same for both sides: once is enough
                    plays = "either side" if is_either else SIDES[side]
                    yield _policy(f"{rulebook}, {plays}", ref.name, ref.summary, policy, ref.doctrine)


def _user_policy(name: str) -> Thing:
    from sim import user_policy
    from sim.game import SIDES

    file, _, own = name.rpartition(":")
    policy = user_policy.load(Path(file), own).policy
    plays = "either side" if policy.side is None else SIDES[policy.side]
    return _policy(plays, name, policy.summary, policy, {})


def _policy(plays: str, name: str, summary: str, policy: Any, doctrine: dict[str, float]) -> Thing:
    fields = [{**field._asdict(), "value": doctrine.get(field.name, field.default)} for field in policy.doctrine]
    lines = [_heading(name, f"policy of {plays}", summary)]
    if policy.name != name and doctrine:
        lines.append(f"policy {policy.name} with a doctrine of its own")
    if policy.idea:
        lines.append(f"idea: {escape(policy.idea)}")
    if fields:
        lines.append("[bold]Doctrine[/bold]")
    for field in fields:
        unit = f" {field['unit']}" if field["unit"] else ""
        limits = f"{'whole, ' * field['whole']}{field['low']:g} to {field['high']:g}"
        lines.append(f"  {field['name']} = {field['value']:g}{unit} ({limits}): {escape(field['meaning'])}")
    about = {"name": name, "plays": plays, "summary": summary, "policy": policy.name, "doctrine": fields}
    return Thing("policy", about, "\n".join(lines))
