"""How kernels are compiled and where the compiled code is kept."""

import functools
import hashlib
import os
import re
from pathlib import Path

import numba
import numba.experimental.function_type  # must be there before `_function_passed_on` takes its place
from numba import types
from numba.core import config
from numba.core.caching import Cache, CacheImpl, UserProvidedCacheLocator
from numba.core.imputils import lower_constant
from numba.core.runtime.nrt import rtsys

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


IMPORT = re.compile(r"^[ \t]*(?:from (sim[\w.]*) import (?:\(([^)]*)\)|(.*))|import (sim[\w.]*))", re.MULTILINE)


@functools.cache
def code_of(module: str) -> tuple[Path, ...]:
    """All files of `sim` that compiled code of a module can come from: its own and, in turn, what those import.

    Numbers of the rulebooks are arguments of the kernels, so TOML files are not among them.
    """
    found = {Path(__file__)}
    pending = [module]
    while pending:
        file = _file_of(pending.pop())
        if file is not None and file not in found:
            found.add(file)
            pending += _imports_of(file)
    return tuple(sorted(found))


@functools.cache
def _file_of(module: str) -> Path | None:
    path = SOURCES.parent.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@functools.cache
def _imports_of(file: Path) -> list[str]:
    """Modules of `sim` that a file imports, and names that may be such modules."""
    modules = []
    for package, several, one, whole in IMPORT.findall(file.read_text(encoding="utf-8")):
        names = (several or one).replace(",", " ").split()
        modules += [whole or package, *(f"{package}.{name}" for name in names)]
    return modules


@functools.cache
def _folder_of(module: str) -> str:
    code = hash_files(list(code_of(module)), SOURCES) if module.startswith("sim.") else source_hash()
    return f"{module.removeprefix('sim.')}-{hashlib.sha256(f'{numba.__version__} {code}'.encode()).hexdigest()[:16]}"


class _OneFolderPerCode(UserProvidedCacheLocator):
    """Where Numba keeps what it compiled: a folder for each state of the code that the function comes from.

    Numba by itself notices a change of the function's own file, but not of a helper in another one. Here a stale
    kernel cannot run, and an edit compiles anew only what it can have changed, wherever the checkout lies.
    """

    def __init__(self, py_func, py_file) -> None:
        self._lineno = py_func.__code__.co_firstlineno
        self._folder = cache_folder() / "kernels" / _folder_of(py_func.__module__)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""  # the folder says it all

    @classmethod
    def from_function(cls, py_func, py_file):
        is_ours = py_func.__module__.startswith(("sim.", "duosuan_policy_"))
        return super(UserProvidedCacheLocator, cls).from_function(py_func, py_file) if is_ours else None


def _load_overload(self: Cache, sig, target_context):
    """What Numba's own does, but for loading all that it can compile (half a second): that waits for a compilation."""
    rtsys.initialize(target_context)
    with self._guard_against_spurious_io_errors():  # pyright: ignore[reportPrivateUsage]
        return self._load_overload(sig, target_context)  # pyright: ignore[reportPrivateUsage]


def prepare() -> None:
    """Has Numba keep our kernels where `_OneFolderPerCode` says, and fetch them from there without delay."""
    # Numba's own door for this is an environment variable, which would have to be set before it is imported.
    locators = CacheImpl._locator_classes  # pyright: ignore[reportPrivateUsage]
    if _OneFolderPerCode not in locators:
        locators.insert(0, _OneFolderPerCode)
    Cache.load_overload = _load_overload


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
    """Compiles a function that compiled code alone calls, and that neither makes nor returns an array.

    The door for calls from Python, which takes a whole game apart, would take longer to compile than the function.
    References to the arrays that it is handed are not counted: whoever calls it holds them, and to count them at every
    call would take longer than most of what is done. With the compiler off it is plain Python like all others.
    """
    # Numba's type hints leave these options out.
    return numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)(function)  # pyright: ignore[reportCallIssue]


def array_njit(function):
    """As `inner_njit`, for a function that makes or returns arrays: references are counted in it."""
    return numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=True)(function)  # pyright: ignore[reportCallIssue]


@lower_constant(types.Dispatcher)
def _function_passed_on(context, builder, typ, function):
    """A compiled function that is passed to another one is known by its type; the value is never read.

    Numba lowers it as an address in this process, and code with such an address is not cached: every start of a
    policy that looks ahead would compile the whole game again.
    """
    if function.py_func.__module__.startswith(("sim.", "duosuan_policy_")):
        return context.get_constant_null(typ)
    return context.add_dynamic_addr(builder, id(function), info=type(function).__name__)
