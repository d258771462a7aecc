"""How kernels are compiled and where the compiled code is kept."""

import functools
import hashlib
import os
from pathlib import Path

import llvmlite.binding
import numba
import numba.experimental.function_type  # must be there before `_function_passed_on` takes its place
from numba import types
from numba.core import config
from numba.core.imputils import lower_constant

SOURCES = Path(__file__).parent


@functools.cache
def source_hash() -> str:
    """SHA-256 over all Python and TOML files of `sim`: what results depend on."""
    return hash_files(sorted(path for path in SOURCES.rglob("*") if path.suffix in {".py", ".toml"}), SOURCES)


def hash_files(paths: list[Path], root: Path) -> str:
    """SHA-256 over names, relative to a root, and contents of files."""
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def prepare() -> None:
    """Points Numba's cache to a folder that belongs to this very code, Numba and processor.

    Numba notices a change of the function's own file, but not of a helper in another one. With a folder for each
    state of the sources a stale kernel cannot run.
    """
    processor = f"{llvmlite.binding.get_host_cpu_name()} {llvmlite.binding.get_host_cpu_features().flatten()}"
    key = hashlib.sha256(f"{source_hash()} {numba.__version__} {processor}".encode()).hexdigest()[:16]
    config.__dict__["CACHE_DIR"] = str(cache_folder() / "kernels" / key)


def cache_folder() -> Path:
    """Where compiled code and users' policies are kept: ``DUOSUAN_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get("DUOSUAN_CACHE_DIR")
    return Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "duosuan"


def compiled(function, signature, *, closed: bool = False):
    """A function compiled for one signature, from the cache if it is there; itself with the compiler off.

    ``closed``: for no other. Else Numba would rather compile a kernel anew for the very functions that it is handed
    than take them as the function pointers that it was compiled for.
    """
    if not vars(config)["DISABLE_JIT"] and signature.args not in function.overloads:
        function.compile(signature)
        if closed:
            function.disable_compile()
    return function


def inner_njit(function):
    """Compiles a function that compiled code alone calls.

    The door for calls from Python, which takes a whole game apart, would take longer to compile than the function.
    With the compiler off it is plain Python like all others.
    """
    # Numba's type hints leave these options out.
    return numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)  # pyright: ignore[reportCallIssue]


@lower_constant(types.Dispatcher)
def _function_passed_on(context, builder, typ, function):
    """A compiled function that is passed to another one is known by its type; the value is never read.

    Numba lowers it as an address in this process, and code with such an address is not cached: every start of a
    policy that looks ahead would compile the whole game again.
    """
    if function.py_func.__module__.startswith(("sim.", "duosuan_policy_")):
        return context.get_constant_null(typ)
    return context.add_dynamic_addr(builder, id(function), info=type(function).__name__)
