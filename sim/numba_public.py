"""What `sim.numba_private` does, by Numba's public interface alone: the same games, slower."""

import numba
import numpy as np
from numba.extending import overload


def set_environments(result) -> None:
    """Nothing: Numba itself gives code that Python can call its objects."""


def part(function, arrays: bool, inlined: bool):
    """Compiles a function; LLVM decides what it compiles into what."""
    return numba.njit(function)


def decision(function):
    """Compiles a decision."""
    return numba.njit(cache=True)(function)


def on_the_stack(room) -> None:
    """Has compiled code make the arrays of a function as any others."""

    @overload(room)
    def _(count, dtype):
        return lambda count, dtype: np.empty(count, dtype)


def install(is_ours) -> None:
    """Nothing: code that is handed functions is compiled at every start."""
