"""What a user's policy has to be, checked before a game is played with it; `BadInput` names the file and the decision.

A policy of our own has tests for that.
"""

import inspect
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from numba import types
from numba.core import config, ir
from numba.core.dispatcher import Dispatcher

from sim.compiled import compiled
from sim.game import BLUE, RED, DoctrineField, Policy
from sim.policy_modules import in_one_line
from sim.rules_file import NAME_PATTERN, BadInput

DEAREST = 1e6
"""The highest cost of a policy: a game that takes so many times as long as with the cheapest would take hours."""

MOST_SAID = 300
"""Letters of an error of the compiler: it may tell of types that fill pages."""


def check_policy(policy: Policy, main: str) -> None:
    """Raises `BadInput` unless a policy is what `sim.game.Policy` says."""
    for field, is_right, use in (
        ("name", _is_text(policy.name) and re.fullmatch(NAME_PATTERN, policy.name), f"a text like {NAME_PATTERN}"),
        ("side", policy.side is None or policy.side in (RED, BLUE), "RED, BLUE or, for either side, None"),
        ("summary", _is_text(policy.summary), "a text"),
        ("decisions", isinstance(policy.decisions, tuple | list), "a tuple of functions"),
        ("doctrine", isinstance(policy.doctrine, tuple | list), "a tuple of DoctrineField"),
        ("cost", _is_number(policy.cost) and 0 < policy.cost <= DEAREST, f"a number above 0, up to {DEAREST:g}"),
        ("idea", _is_text(policy.idea), "a text"),
    ):
        if not is_right:
            raise BadInput(f"{_shown(getattr(policy, field))} is wrong: use {use}", file=main, key=f"Policy.{field}")
    names = set()
    for number, field in enumerate(policy.doctrine):
        key = f"Policy.doctrine[{number}]"
        if not isinstance(field, DoctrineField):
            raise BadInput(f"{_shown(field)} is wrong: use a DoctrineField", file=main, key=key)
        for problem in _problems(field):
            raise BadInput(problem, file=main, key=key)
        if field.name in names:
            raise BadInput(f"{field.name!r} is the name of two numbers: use another", file=main, key=key)
        names.add(field.name)


def _problems(field: DoctrineField) -> Iterator[str]:
    if not _is_text(field.name) or not field.name.isidentifier():
        yield f"{_shown(field.name)} is wrong as a name: use one that Python allows for a variable"
    for name in ("meaning", "unit"):
        if not _is_text(getattr(field, name)):
            yield f"{field.name}: {_shown(getattr(field, name))} is wrong: {name} is a text"
    for name in ("default", "low", "high"):
        if not _is_number(getattr(field, name)):
            yield f"{field.name}: {_shown(getattr(field, name))} is wrong: {name} is a number"
    if not field.allows(field.default):
        what = f"{'whole ' * bool(field.whole)}number from {field.low:g} to {field.high:g}"
        yield f"{field.name}: its default {field.default!r} is wrong: it takes a {what}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def check_decisions(policy: Policy, names: Sequence[str], arguments: int, main: str) -> None:
    """Raises `BadInput` unless a policy has the decisions that its side has to take, each a compiled function."""
    if len(policy.decisions) != len(names):
        message = f"has {len(policy.decisions)} decisions, not {len(names)}: {', '.join(names) or 'none at all'}"
        raise BadInput(message, file=main, key=f"policy {policy.name}")
    for name, decide in zip(names, policy.decisions, strict=True):
        key = f"decision {name}"
        function = decide if vars(config)["DISABLE_JIT"] else getattr(decide, "py_func", None)
        if not callable(function) or (function is not decide and not isinstance(decide, Dispatcher)):
            raise BadInput(f"{_shown(decide)} is wrong: use a function compiled with @njit", file=main, key=key)
        if isinstance(decide, Dispatcher) and decide.targetoptions.get("forceobj"):
            raise BadInput("is left to Python: use a function compiled with @njit", file=main, key=key)
        parameters = inspect.signature(function).parameters
        if len(parameters) != arguments:
            message = f"takes ({', '.join(parameters)}), not {arguments} arguments"
            raise BadInput(message, file=main, key=key)


def compile_decisions(policy: Policy, names: Sequence[str], signature: Any, main: str) -> None:
    """Compiles a user's decisions. Raises `BadInput` for one that cannot be, or that answers with no whole number."""
    for name, decide in zip(names, policy.decisions, strict=True):
        if why := _refusal(decide, signature):
            raise BadInput(why, file=main, key=f"decision {name}")


def _refusal(decide: Any, signature: Any) -> str:
    """What is wrong with a decision once it is compiled, or nothing."""
    if vars(config)["DISABLE_JIT"]:
        return ""
    there = decide.overloads.get(signature.args)
    if there and there.signature.return_type != signature.return_type:
        return f"is compiled to answer with {there.signature.return_type}: use @njit alone, and whole numbers"
    if not there and not decide._can_compile:
        return "is compiled for other arguments: use @njit without a signature"
    try:
        compiled(decide, signature)
    except Exception as error:
        # Numba has many errors; with a user's policy they are the user's to mend.
        return f"cannot be compiled: {_in_short(error)}"
    for answer in _answers(decide, signature):
        if not isinstance(answer, types.Integer | types.Boolean | types.IntEnumMember):
            decide._cache.flush()  # from there it would come without what its answers are
            return f"answers with {answer}: use a whole number"
    return ""


def _answers(decide: Any, signature: Any) -> list[types.Type]:
    """What a decision's answers are before they are made whole; of one that comes from the cache none: it passed."""
    annotation = decide.overloads[signature.args].type_annotation
    if isinstance(annotation, str):
        return []
    returned = {
        statement.value.name
        for block in annotation.blocks.values()
        for statement in block.body
        if isinstance(statement, ir.Return)
    }
    return [
        types.unliteral(annotation.typemap[statement.value.value.name])
        for block in annotation.blocks.values()
        for statement in block.body
        if isinstance(statement, ir.Assign) and statement.target.name in returned
        if isinstance(statement.value, ir.Expr) and statement.value.op == "cast"
    ]


def _in_short(error: Exception) -> str:
    """An error of the compiler: what is wrong and where, without the steps that led there."""
    text = in_one_line(error).replace("Failed in nopython mode pipeline (step: nopython frontend) ", "")
    what = re.split(r' (?:File "|During: )', text)[0]
    if unfit := re.search(r"No conversion from (.+) to int64 for '\$\d*return_value", what):
        what = f"it answers with {unfit[1]}, not with a whole number"
    if len(what) > MOST_SAID:
        what = f"{what[:MOST_SAID]} ..."
    place = re.search(r'File "(\S+\.py)", line (\d+)', text)
    return f"{what} ({place[1]}, line {place[2]})" if place else what
