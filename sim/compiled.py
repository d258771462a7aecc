"""How kernels are compiled and where the compiled code is kept."""

import contextlib
import functools
import gc
import hashlib
import os
import re
import warnings
from collections.abc import Generator
from pathlib import Path
from types import CodeType

import numba
import numpy as np
from numba.core import config, dispatcher
from numba.core.caching import CacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.runtime.nrt import rtsys

from sim.kernel_cache import KernelFiles

TESTED_NUMBA = "0.68"
PUBLIC_ONLY = "DUOSUAN_PUBLIC_NUMBA"
"""Environment variable: if it is set, kernels are compiled by what Numba promises to keep, and nothing else."""
PRIVATE_NUMBA = numba.__version__.startswith(f"{TESTED_NUMBA}.") and not os.environ.get(PUBLIC_ONLY)
"""Whether kernels are put together as `sim.numba_private` does it. The games are the same either way."""

if PRIVATE_NUMBA:
    import sim.numba_private as layer
else:
    import sim.numba_public as layer

SOURCES = Path(__file__).parent

OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""New objects, less those that are gone, after which garbage is looked for while the compiler works (Python: 700)."""


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
    found: set[Path] = set()
    pending = [module, __name__]
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
    key = f"{numba.__version__} {PRIVATE_NUMBA} {code}"
    return f"{module.removeprefix('sim.')}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def is_ours(function) -> bool:
    """Whether a function is a kernel of ours, or of a user's policy."""
    return (function.__module__ or "").startswith(("sim.", "duosuan_policy_"))  # `exec` may make one without a module


def _parts_of(code: CodeType) -> tuple:
    """What a function does, in words that are the same in every process."""
    constants = (_parts_of(it) if isinstance(it, CodeType) else it for it in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, *constants


class _OneFolderPerCode(UserProvidedCacheLocator):
    """Where Numba keeps what it compiled: a folder for each state of the code that the function comes from.

    Numba by itself notices a change of the function's own file, but not of a helper in another one. Here a stale
    kernel cannot run, and an edit compiles anew only what it can have changed, wherever the checkout lies.
    """

    def __init__(self, py_func, py_file) -> None:
        self._py_file = py_file  # where Numba's warnings say that they come from
        self._function = py_func
        self._folder = cache_folder() / "kernels" / _folder_of(py_func.__module__)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """To be looked into, the folder need not be there, nor be writable: Numba would look for another place."""

    def get_source_stamp(self) -> str:
        return ""  # the folder says it all

    def get_disambiguator(self) -> str:
        """Tells apart what stands in one line: two lambdas, or functions that `exec` made. Numba's own would not."""
        code = self._function.__code__
        numbers = {name: self._function.__globals__.get(name) for name in code.co_names}
        plain = {name: it for name, it in numbers.items() if isinstance(it, bool | int | float | str)}
        return f"{code.co_firstlineno}-{hashlib.sha256(repr((_parts_of(code), plain)).encode()).hexdigest()[:16]}"

    @classmethod
    def from_function(cls, py_func, py_file):
        # Numba's own asks for the file, which a user's policy does not have (`sim.policy_modules`).
        return cls(py_func, py_file) if is_ours(py_func) else None


class _KernelCache(FunctionCache):
    """Numba's own, but with files that are checked, and without loading all that it can compile (half a second): that
    waits for a compilation.
    """

    def __init__(self, py_func) -> None:
        super().__init__(py_func)
        if isinstance(self._impl.locator, _OneFolderPerCode):
            self._cache_file = KernelFiles(Path(self._cache_path), self._impl.filename_base)

    def load_overload(self, sig, target_context):
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


def prepare() -> None:
    """Has Numba keep our kernels where `_OneFolderPerCode` says, and fetch them from there without delay."""
    # Numba's own door for this is an environment variable, which would have to be set before it is imported.
    locators = CacheImpl._locator_classes  # pyright: ignore[reportPrivateUsage]
    if _OneFolderPerCode not in locators:
        locators.insert(0, _OneFolderPerCode)
    setattr(dispatcher, "FunctionCache", _KernelCache)  # noqa: B010 - the module does not declare what it imports
    layer.install(is_ours)


def cache_folder() -> Path:
    """Where compiled code is kept: ``DUOSUAN_CACHE_DIR``, else the user's cache folder."""
    chosen = os.environ.get("DUOSUAN_CACHE_DIR")
    return Path(chosen) if chosen else Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "duosuan"


def compiled(function, signature, *, closed: bool = False):
    """A function compiled for one signature, from the cache if it is there; itself with the compiler off.

    ``closed``: for no other. Else Numba would rather compile a kernel anew for the very functions that it is handed
    than take them as the function pointers that it was compiled for.
    """
    if not vars(config)["DISABLE_JIT"] and signature.args not in function.overloads:
        with _little_collecting(), warnings.catch_warnings():
            # By the public interface a policy that hands functions on is compiled at every start: slower, not wrong.
            warnings.filterwarnings("ignore", "Cannot cache compiled function", numba.NumbaWarning)
            function.compile(signature)
        layer.set_environments(function.overloads[signature.args])
        if closed:
            function.disable_compile()
    return function


@contextlib.contextmanager
def _little_collecting() -> Generator[None]:
    """Looks for garbage less often: what the compiler makes it mostly keeps, and to go through it takes a tenth of its
    time.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], OBJECTS_BETWEEN_COLLECTIONS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def inner_njit(function, *, arrays: bool = False, inlined: bool = False):
    """Compiles a function that compiled code alone calls, and that neither makes nor returns an array.

    The door for calls from Python, which takes a whole game apart, would take longer to compile than the function.
    References to the arrays that it is handed are not counted: whoever calls it holds them, and to count them at every
    call would take longer than most of what is done. With the compiler off it is plain Python like all others.
    """
    return layer.part(function, arrays, inlined)


def inlined_njit(function):
    """As `inner_njit`, for a function that is asked so often that LLVM has to compile it into whoever calls it."""
    return inner_njit(function, inlined=True)


def decision_njit(function):
    """Compiles a decision that makes no array: references to those that it is handed are not counted (`inner_njit`).

    With the compiler off it is plain Python like all others.
    """
    return layer.decision(function)


def array_njit(function):
    """As `inner_njit`, for a function that makes or returns arrays: references are counted in it."""
    return inner_njit(function, arrays=True)


def room(count: int, dtype: type) -> np.ndarray:
    """Room for so many numbers, not cleared, for as long as the function runs that asks for it.

    Compiled, it lies on the stack and costs nothing: never return it or what holds it. ``count`` is a constant.
    """
    return np.empty(count, dtype)


layer.on_the_stack(room)
