"""How kernels are compiled and where the compiled code is kept."""

import contextlib
import functools
import gc
import hashlib
import os
import re
from collections.abc import Generator
from pathlib import Path

import numba
import numba.experimental.function_type  # must be there before `_function_passed_on` takes its place
import numpy as np
from llvmlite import ir
from llvmlite.binding import Linkage
from numba import _dynfunc, types  # pyright: ignore[reportAttributeAccessIssue]
from numba.core import cgutils, config, dispatcher
from numba.core.caching import CacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import lower_constant
from numba.core.runtime.nrt import rtsys
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array

from sim.kernel_cache import KernelFiles

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

    def ensure_cache_path(self) -> None:
        """To be looked into, the folder need not be there, nor be writable: Numba would look for another place."""

    def get_source_stamp(self) -> str:
        return ""  # the folder says it all

    @classmethod
    def from_function(cls, py_func, py_file):
        is_ours = py_func.__module__.startswith(("sim.", "duosuan_policy_"))
        return super(UserProvidedCacheLocator, cls).from_function(py_func, py_file) if is_ours else None


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
    JITCPUCodegen._library_class = _Whole  # pyright: ignore[reportPrivateUsage]


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
        with _little_collecting():
            function.compile(signature)
        _set_environments(function.overloads[signature.args])
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


def _set_environments(result) -> None:
    """Gives the parts of compiled code (`_Part`) the Python objects that they print, or raise an error, by.

    Numba does so for functions that Python can call, and for all that comes from the cache.
    """
    for environment in result._find_referenced_environments():
        result.codegen.set_env(environment.env_name, environment)


class _Part(JITCodeLibrary):
    """The code of a function that is a part of others: it is optimised, and made into machine code, only there.

    Numba by itself does both for every function and does it again, at every level of calls above it, with all that it
    calls: that took half the time of compiling. A kernel so put together is as fast, or faster.
    """

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def with_what_it_calls(self) -> list[JITCodeLibrary]:
        """Itself and, as it is not linked yet, all that its code needs."""
        return [self, *dict.fromkeys(self._linking_libraries)]


class _Whole(JITCodeLibrary):
    """The code of a function that can be called, put together from its parts.

    Only it calls them, and LLVM is told so: it then compiles those with one caller into that, and has the others
    handed what they use of a game under way, not all its twenty numbers. Most kernels are a fifth faster for it.
    """

    def _optimize_final_module(self) -> None:
        if any(isinstance(library, _Part) for library in self._linking_libraries):
            # For whoever it is a part of, in turn (a policy that plays others): as it is now.
            self._finalized = True
            self._shared_module = self._get_module_for_linking()
            self._finalized = False
            for function in self._final_module.functions:
                if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                    # Not "internal": that has a name still, by which LLVM's linker would mistake it for another's.
                    function.linkage = "private"
        super()._optimize_final_module()


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    """Numba's own lowering, but into a `_Part`."""

    _name = "lower_part"

    def run_pass(self, state) -> bool:
        part = state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        part.finalize()
        lowered = state["cr"]
        # What Numba knows the function by. There is no address of machine code in it, as there is nothing to run yet.
        handle = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (part,)
        )
        state.targetctx.insert_user_function(handle, lowered.fndesc, part.with_what_it_calls())
        state["cr"] = lowered._replace(cfunc=handle)
        return True


class _PartCompiler(CompilerBase):
    """Numba's own compiler, but for `_LowerPart`."""

    def define_pipelines(self) -> list[PassManager]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(_LowerPart if step is NativeLowering else step, what) for step, what in passes.passes]
        passes.finalize()
        return [passes]


def inner_njit(function, *, arrays: bool = False, inlined: bool = False):
    """Compiles a function that compiled code alone calls, and that neither makes nor returns an array.

    The door for calls from Python, which takes a whole game apart, would take longer to compile than the function.
    References to the arrays that it is handed are not counted: whoever calls it holds them, and to count them at every
    call would take longer than most of what is done. With the compiler off it is plain Python like all others.
    """
    # Numba's type hints leave these options out.
    part = numba.njit(  # pyright: ignore[reportCallIssue]
        no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=arrays, forceinline=inlined, pipeline_class=_PartCompiler
    )(function)
    if isinstance(part, Dispatcher):  # else the compiler is off
        part.get_call_template = functools.partial(_call_template, part.get_call_template)
    return part


def _call_template(numbas_own, args, kws):
    """What Numba types a call by. It would compile a function anew for each number that is written as an argument."""
    return numbas_own(tuple(map(types.unliteral, args)), {name: types.unliteral(kws[name]) for name in kws})


def inlined_njit(function):
    """As `inner_njit`, for a function that is asked so often that LLVM has to compile it into whoever calls it."""
    return inner_njit(function, inlined=True)


def decision_njit(function):
    """Compiles a decision that makes no array: references to those that it is handed are not counted (`inner_njit`).

    With the compiler off it is plain Python like all others.
    """
    # Numba's type hints leave this option out.
    return numba.njit(cache=True, _nrt=False)(function)  # pyright: ignore[reportCallIssue]


def array_njit(function):
    """As `inner_njit`, for a function that makes or returns arrays: references are counted in it."""
    return inner_njit(function, arrays=True)


def room(count: int, dtype: type) -> np.ndarray:
    """Room for so many numbers, not cleared, for as long as the function runs that asks for it.

    Compiled, it lies on the stack and costs nothing: never return it or what holds it. ``count`` is a constant.
    """
    return np.empty(count, dtype)


@intrinsic(prefer_literal=True)
def _on_the_stack(typing_context, count, dtype):
    number = dtype.instance_type
    array = types.Array(number, 1, "C")

    def lower(context, builder, signature, arguments):
        value = context.get_value_type(number)
        size = context.get_constant(types.intp, context.get_abi_sizeof(value))
        data = cgutils.alloca_once(builder, ir.ArrayType(value, count.literal_value))
        found = make_array(array)(context, builder)
        first = builder.bitcast(data, value.as_pointer())
        shape = [context.get_constant(types.intp, count.literal_value)]
        populate_array(found, data=first, shape=shape, strides=[size], itemsize=size, meminfo=None)
        return found._getvalue()

    return array(count, dtype), lower


# Inlined: the stack is that of whoever asks. Without counted references Numba would take no function that returns one.
@overload(room, jit_options={"_nrt": True}, inline="always", prefer_literal=True)  # pyright: ignore[reportArgumentType]
def _room_compiled(count, dtype):
    return lambda count, dtype: _on_the_stack(count, dtype)  # pyright: ignore[reportCallIssue]  # as in sim.dice


@lower_constant(types.Dispatcher)
def _function_passed_on(context, builder, typ, function):
    """A compiled function that is passed to another one is known by its type; the value is never read.

    Numba lowers it as an address in this process, and code with such an address is not cached: every start of a
    policy that looks ahead would compile the whole game again.
    """
    if function.py_func.__module__.startswith(("sim.", "duosuan_policy_")):
        return context.get_constant_null(typ)
    return context.add_dynamic_addr(builder, id(function), info=type(function).__name__)
