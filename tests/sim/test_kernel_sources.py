"""Reads the sources of what is compiled: nothing in them may give other results elsewhere.

Sums of floats and functions like exp differ in their last bits between compiled and plain Python and between machines.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

import sim

FOLDER = Path(sim.__path__[0])
SOURCES = sorted(FOLDER.rglob("*.py"))

COMPILERS = re.compile(r"numba(?!\.core)[.\w]*|sim\.compiled")
"""Modules whose decorators compile. What `numba.core` decorates is the compiler's own: Python that emits code."""

INEXACT = {
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "power", "float_power", "cbrt", "hypot"),
    *(
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "arcsin",
        "arccos",
        "arctan",
        "arctan2",
        "sinh",
        "cosh",
        "tanh",
    ),
    *("sum", "mean", "average", "dot", "vdot", "inner", "matmul", "prod", "std", "var", "cumsum", "trace", "norm"),
}
NOT_OURS = {"random", "time", "datetime", "hash", "id"}  # chance and clocks come from nowhere but dice.py
WIDE = {"uint64"}  # turns into a float beside a plain integer
NARROW = {f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32)}


def compilers_in(tree: ast.Module) -> set[str]:
    """Names in a module of what comes from Numba or from our layer on top of it: a decorator among them compiles."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and COMPILERS.fullmatch(node.module or ""):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.asname or "numba" for alias in node.names if COMPILERS.fullmatch(alias.name)}
    return found


def kernels(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Functions with a decorator that compiles, wherever they stand."""
    compilers = compilers_in(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(map(compilers.__contains__, map(origin, node.decorator_list))):
            yield node


def origin(decorator: ast.expr) -> str:
    """The name that a decorator begins with: ``numba`` of ``@numba.njit(cache=True)``."""
    while not isinstance(decorator, ast.Name):
        decorator = decorator.func if isinstance(decorator, ast.Call) else decorator.value
    return decorator.id


def wrong_in(function: ast.FunctionDef, path: Path) -> Iterator[str]:
    forbidden = INEXACT | NOT_OURS | NARROW | (set() if path.name == "dice.py" else WIDE)
    local = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    local |= {argument.arg for argument in function.args.args}
    for node in (below for statement in function.body for below in ast.walk(statement)):
        where = f"{path.relative_to(FOLDER)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in {"np", "math"}:
            if node.attr in forbidden:
                yield f"{where} {node.attr}"
        elif isinstance(node, ast.Attribute) and node.attr in {"sum", "mean", "dot", "prod", "std", "var", "cumsum"}:
            yield f"{where} .{node.attr}"
        elif isinstance(node, ast.Name) and node.id in forbidden - local:
            yield f"{where} {node.id}"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow | ast.MatMult):
            yield f"{where} {type(node.op).__name__}"
    for keyword in (word for node in function.decorator_list if isinstance(node, ast.Call) for word in node.keywords):
        if keyword.arg in {"fastmath", "parallel", "error_model"}:
            yield f"{path.relative_to(FOLDER)}:{function.lineno} {keyword.arg}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_kernels_are_exact(path):
    assert [wrong for function in kernels(tree_of(path)) for wrong in wrong_in(function, path)] == []


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(FOLDER.parent).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_every_compiled_function_is_read(path):
    """What Numba itself holds for compiled in a module, however it came about, is among the functions that are read."""
    read = {node.lineno - len(node.decorator_list) for node in kernels(tree_of(path))}
    for value in vars(importlib.import_module(module_of(path))).values():
        if isinstance(value, Dispatcher) and value.py_func.__code__.co_filename == str(path):
            assert value.py_func.__code__.co_firstlineno in read, value.py_func.__name__


BAD = """
import numba as nb
from sim.compiled import inlined_njit as often
from functools import cache

@often
def bad(game, values, sum):
    a = np.exp(1.0) + math.log(2.0) + values.sum() + np.uint64(3) + values[0] ** 2
    b = np.float32(a) + np.random.rand() + abs(a)
    return sum + np.sqrt(b)

def makes_kernels():
    @nb.njit(fastmath=True)
    def worse(a):
        return pow(a, 2)

@cache
def no_kernel(a):
    return np.exp(a)
"""


def test_what_is_forbidden_is_found():
    path = FOLDER / "bad.py"
    found = [wrong.partition(" ")[2] for function in kernels(ast.parse(BAD)) for wrong in wrong_in(function, path)]
    assert sorted(found) == sorted(["exp", "log", ".sum", "uint64", "Pow", "float32", "random", "fastmath", "pow"])
