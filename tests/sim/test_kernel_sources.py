"""Reads the sources of what is compiled: nothing in them may give other results elsewhere.

Sums of floats and functions like exp differ in their last bits between compiled and plain Python and between machines.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sim

FOLDER = Path(sim.__path__[0])
SOURCES = sorted(FOLDER.rglob("*.py"))

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


def is_compiled(function: ast.FunctionDef) -> bool:
    decorators = (node.func if isinstance(node, ast.Call) else node for node in function.decorator_list)
    compilers = {"njit", "inner_njit", "array_njit", "decision_njit", "jit", "overload"}
    return any(isinstance(node, ast.Name) and node.id in compilers for node in decorators)


def kernels(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and is_compiled(node):
            yield node


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
    assert [wrong for function in kernels(path) for wrong in wrong_in(function, path)] == []


def test_there_are_kernels_to_read():
    assert sum(1 for path in SOURCES for _ in kernels(path)) > 60


BAD = """
@njit
def bad(game, values, sum):
    a = np.exp(1.0) + math.log(2.0) + values.sum() + np.uint64(3) + values[0] ** 2
    b = np.float32(a) + np.random.rand() + abs(a)
    return sum + np.sqrt(b)

@njit(fastmath=True)
def worse(a):
    return pow(a, 2)
"""


def test_what_is_forbidden_is_found():
    functions = [node for node in ast.parse(BAD).body if isinstance(node, ast.FunctionDef)]
    path = FOLDER / "bad.py"
    found = [wrong.partition(" ")[2] for function in functions for wrong in wrong_in(function, path)]
    assert sorted(found) == sorted(["exp", "log", ".sum", "uint64", "Pow", "float32", "random", "fastmath", "pow"])
