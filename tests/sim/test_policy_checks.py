"""A user's policy that is none is refused in one line that names the file, what is wrong and what would be right."""

import ctypes
import functools
import math
import re
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba import jit, njit, objmode, types

from sim.game import BLUE, DoctrineField, Policy
from sim.policy_checks import check_decisions, check_policy, compile_decisions
from sim.rules_file import BadInput
from sim.user_policy import load

FIELD = DoctrineField("patience", 2.0, "how long it waits", "turns", 0, 5)
GOOD = Policy("good", BLUE, "does well", (), (FIELD,))
SIGNATURE = types.int64(types.int64, types.float64)


def refusal(check, *arguments: Any) -> str:
    with pytest.raises(BadInput) as caught:
        check(*arguments, "mine.py")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "two words"}, "Policy.name: 'two words' is wrong: use a text like [a-z]"),
        ({"name": "a" * 300}, f"Policy.name: '{'a' * 56}... is wrong: use a text like [a-z]"),
        ({"name": ""}, "Policy.name: '' is wrong"),
        ({"name": None}, "Policy.name: None is wrong"),
        ({"side": 7}, "Policy.side: 7 is wrong: use RED, BLUE or, for either side, None"),
        ({"side": "blue"}, "Policy.side: 'blue' is wrong: use RED, BLUE or, for either side, None"),
        ({"summary": None}, "Policy.summary: None is wrong: use a text"),
        ({"idea": 3}, "Policy.idea: 3 is wrong: use a text"),
        ({"decisions": None}, "Policy.decisions: None is wrong: use a tuple of functions"),
        ({"doctrine": FIELD.name}, "Policy.doctrine: 'patience' is wrong: use a tuple of DoctrineField"),
        ({"doctrine": (FIELD, ("a", 1.0))}, "Policy.doctrine[1]: ('a', 1.0) is wrong: use a DoctrineField"),
        ({"doctrine": (FIELD, FIELD)}, "Policy.doctrine[1]: 'patience' is the name of two numbers: use another"),
        *(({"cost": cost}, f"Policy.cost: {cost} is wrong: use a number above 0, up to 1e+06")
          for cost in (-1, 0, 0.0, math.nan, math.inf, 2e6, None)),
    ],
)  # fmt: skip
def test_a_policy_that_is_none(change: dict[str, Any], message: str) -> None:
    check_policy(GOOD, "mine.py")
    assert refusal(check_policy, GOOD._replace(**change)).startswith(f"mine.py: {message}")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "two words"}, "'two words' is wrong as a name"),
        ({"name": "a.b"}, "'a.b' is wrong as a name"),
        ({"name": ""}, "'' is wrong as a name"),
        ({"name": 1}, "1 is wrong as a name"),
        ({"meaning": None}, "patience: None is wrong: meaning is a text"),
        ({"unit": 3}, "patience: 3 is wrong: unit is a text"),
        ({"default": "2"}, "patience: '2' is wrong: default is a number"),
        ({"default": math.nan}, "patience: nan is wrong: default is a number"),
        ({"low": None}, "patience: None is wrong: low is a number"),
        ({"high": math.inf}, "patience: inf is wrong: high is a number"),
        ({"default": 6.0}, "patience: its default 6.0 is wrong: it takes a number from 0 to 5"),
        ({"default": 1.5, "whole": True}, "patience: its default 1.5 is wrong: it takes a whole number from 0 to 5"),
    ],
)
def test_a_number_of_a_doctrine_that_is_none(change: dict[str, Any], message: str) -> None:
    policy = GOOD._replace(doctrine=(FIELD._replace(**change),))
    assert refusal(check_policy, policy).startswith(f"mine.py: Policy.doctrine[0]: {message}")


@njit
def good(a, b):
    return a + 1


@njit
def three(a, b, c):
    return a


def check(decide: Any) -> None:
    """All that a decision of a policy goes through, with one that is good before it."""
    policy = GOOD._replace(decisions=(good, decide))
    check_decisions(policy, ("move", "attack"), 2, "mine.py")
    compile_decisions(policy, ("move", "attack"), SIGNATURE, "mine.py")


@pytest.mark.parametrize("decisions", [(), (good,), (good,) * 3])
def test_too_few_or_too_many_decisions(decisions: tuple) -> None:
    said = refusal(check_decisions, GOOD._replace(decisions=decisions), ("move", "attack"), 2)
    assert said == f"mine.py: policy good: has {len(decisions)} decisions, not 2: move, attack"


@pytest.mark.parametrize(
    "decide",
    [None, object(), lambda a, b: 1, numba.vectorize(lambda a, b: a), numba.cfunc(SIGNATURE)(lambda a, b: a),
     functools.partial(good), "move"],
)  # fmt: skip
def test_a_decision_that_is_no_compiled_function(decide: Any) -> None:
    with pytest.raises(BadInput, match=r"^mine\.py: decision attack: .* is wrong: use a function compiled with @njit$"):
        check(decide)


@pytest.mark.parametrize(
    ("decide", "message"),
    [
        (three, "takes (a, b, c), not 2 arguments"),
        (njit(lambda a: a), "takes (a), not 2 arguments"),
        (njit(lambda a, b, c=1: a), "takes (a, b, c), not 2 arguments"),
        (jit(lambda a, b: 1, forceobj=True), "is left to Python: use a function compiled with @njit"),
        (
            njit(types.int64(types.int64, types.int64))(lambda a, b: a),
            "is compiled for other arguments: use @njit without a signature",
        ),
        (
            njit(types.int32(types.int64, types.float64))(lambda a, b: a),
            "is compiled to answer with int32: use @njit alone",
        ),
        (njit(lambda a, b: b), "answers with float64: use a whole number"),
        (njit(lambda a, b: a if a > 1 else 0.5), "answers with float64: use a whole number"),
        (njit(lambda a, b: None), "cannot be compiled: it answers with none, not with a whole number"),
        (njit(lambda a, b: np.ones(3)), "cannot be compiled: it answers with array(float64, 1d, C), not with a whole"),
        (njit(lambda a, b: (1, 2)), "cannot be compiled: it answers with Tuple(Literal[int](1), Literal[int](2)), not"),
        (njit(lambda a, b: no_such_name), "cannot be compiled: TypingError: NameError: name 'no_such_name' is not"),  # noqa: F821
    ],
)  # fmt: skip
def test_a_decision_that_does_not_fit(decide: Any, message: str) -> None:
    with pytest.raises(BadInput, match=rf"^mine\.py: decision attack: {re.escape(message)}"):
        check(decide)


def test_a_decision_that_does_not_fit_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from numba import njit\nfrom sim.game import Policy\n"
        "p = Policy('p', 1, '', (njit(cache=True)(lambda a, b: b),))"
    )
    (decide,) = load(tmp_path / "mine.py", "p").policy.decisions
    for again in (decide, njit(cache=True)(decide.py_func), njit(cache=True)(decide.py_func)):
        with pytest.raises(BadInput, match="answers with float64"):
            check(again)


CLOCK = ctypes.CDLL(None).clock
CLOCK.restype, CLOCK.argtypes = ctypes.c_long, []
MANY = np.arange(1_000_000)
twice = numba.vectorize([types.int64(types.int64)])(lambda a: 2 * a)


@njit
def by_the_clock(a, b):
    with objmode(now="float64"):
        now = time.time()
    return int(now) % 2


def of_closure(number: int) -> Any:
    return njit(lambda a, b: number)


@pytest.mark.parametrize(
    "decide",
    [by_the_clock, of_closure(3), njit(lambda a, b: CLOCK() % 2), njit(lambda a, b: MANY[a]),
     njit(lambda a, b: twice(a)), njit(lambda a, b: a > b),
     njit(SIGNATURE)(lambda a, b: a), njit(lambda a, b: np.int32(a))],
)  # fmt: skip
def test_whatever_numba_takes_is_a_decision(decide: Any) -> None:
    check(decide)
