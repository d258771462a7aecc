"""Compiled code is kept by the code that it comes from: an edit compiles anew what it can have changed, and no more."""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from llvmlite.binding import Linkage
from numba import njit, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.dispatcher import Dispatcher

import sim
from sim.compiled import SOURCES, array_njit, code_of, compiled, inner_njit, room
from tests.matches import Match, played

PLACES = 8


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(sim.__path__, "sim."):
        yield importlib.import_module(found.name)


def called_by(function: Dispatcher) -> Iterator[Dispatcher]:
    """Compiled functions that a function names, also as attributes of modules that it names."""
    names = function.py_func.__code__.co_names
    values = [function.py_func.__globals__.get(name) for name in names]
    values += [getattr(value, name, None) for value in values if isinstance(value, ModuleType) for name in names]
    yield from (value for value in values if isinstance(value, Dispatcher))


def test_every_function_that_compiled_code_calls_is_in_its_key() -> None:
    pairs = 0
    for module in modules():
        for function in (value for value in vars(module).values() if isinstance(value, Dispatcher)):
            own = function.py_func.__module__
            for callee in called_by(function):
                pairs += own != callee.py_func.__module__
                assert Path(callee.py_func.__code__.co_filename) in code_of(own), f"{own} calls {callee}"
    assert pairs > 100


@pytest.mark.parametrize(
    ("module", "needs", "does_not"),
    [
        ("sim.barbarossa.turn", "sim/barbarossa/rules/attack.py", "sim/barbarossa/policies/hold.py"),
        ("sim.barbarossa.turn", "sim/dice.py", "sim/tank_hex/turn.py"),
        ("sim.barbarossa.policies.lookahead", "sim/barbarossa/turn.py", "sim/barbarossa/policies/random.py"),
        ("sim.tank_hex.turn", "sim/tank_hex/rules/fire.py", "sim/geometry/square.py"),
    ],
)
def test_what_an_edit_compiles_anew(module: str, needs: str, does_not: str) -> None:
    files = [file.relative_to(SOURCES.parent).as_posix() for file in code_of(module)]
    assert needs in files
    assert does_not not in files


def test_what_is_in_the_cache_is_fetched_without_the_compiler() -> None:
    """Loading all that Numba can compile takes longer than anything else that happens before the first game."""
    match = Match("barbarossa/blue", "easy", "hold")
    played(match)  # so that it is in the cache
    game = f"from tests.matches import *; played_anew({match!r}, range(1)); print('numba.np.linalg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", game], cwd=SOURCES.parent, capture_output=True, text=True, timeout=300)
    assert done.stdout == "False\n", done.stderr


@array_njit
def told(number):
    """The number, which it tells; raises ValueError with it if it is negative."""
    print("the number is", number)
    if number < 0:
        raise ValueError("negative", number)
    return number


@inner_njit
def twice(number):
    """Twice a number that is told."""
    return 2 * told(number)


@njit
def sum_of(first, second):
    """Each of the two twice, once by way of a function."""
    return twice(first) + 2 * told(second)


def test_parts_print_and_raise_as_plain_python_does(capfd: pytest.CaptureFixture[str]) -> None:
    add = compiled(sum_of, types.int64(types.int64, types.int64))
    assert add(3, 4) == 14
    with pytest.raises(ValueError, match="negative") as raised:
        add(5, -6)
    assert raised.value.args == ("negative", -6)
    sys.stdout.flush()
    assert capfd.readouterr().out.splitlines() == [f"the number is {number}" for number in (3, 4, 5, -6)]


def test_parts_are_optimised_only_where_they_are_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    optimised = []
    numbas_own = CPUCodeLibrary._optimize_final_module  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(
        CPUCodeLibrary, "_optimize_final_module", lambda self: (optimised.append(self.name), numbas_own(self))
    )
    square = inner_njit(lambda number: number * number)
    fourth = inner_njit(lambda number: square(square(number)))

    @njit
    def sixteenth(number):
        return fourth(fourth(number))

    assert compiled(sixteenth, types.int64(types.int64))(3) == 3**16
    assert optimised == [sixteenth.__qualname__]
    whole = sixteenth.overloads[(types.int64,)].library
    assert all(function.linkage != Linkage.linkonce_odr for function in whole.get_defined_functions())


def test_parts_are_compiled_once_for_all_numbers_written_as_arguments() -> None:
    difference = inner_njit(lambda number, less, doubled: (number - less) * (2 if doubled else 1))

    @njit
    def differences(number):
        return (
            difference(number, 1, True) + difference(7, less=number, doubled=False) + difference(number, 3, number > 4)
        )

    assert compiled(differences, types.int64(types.int64))(5) == 8 + 2 + 4
    assert list(difference.overloads) == [(types.int64, types.int64, types.boolean)]


@inner_njit
def spread_of(number):
    found = room(PLACES, np.int64)
    for i in range(PLACES):
        found[i] = number * i
    return found[PLACES - 1] - found[0]


@njit
def half_of_the_spreads(number):
    parts = room(PLACES, np.float64)
    parts[:] = 0.5
    total = 0.0
    for i in range(PLACES):
        total += spread_of(number) * parts[i]
    return total


def test_room_is_each_functions_own() -> None:
    """Eight times half of 7 x 3, and nobody writes into what another one has."""
    assert half_of_the_spreads(3) == 84.0
    assert room(PLACES, np.int64).shape == (PLACES,)
