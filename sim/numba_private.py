"""What we use of Numba and llvmlite that is not their public interface: how kernels are put together out of parts.

All of it is here, behind one switch (`sim.compiled.PRIVATE_NUMBA`); `sim.numba_public` has the same functions without
it, and the games are the same. It is written for the release of Numba that `sim.compiled.TESTED_NUMBA` names: with
another one this module is not imported.
"""

import functools

import numba
import numba.experimental.function_type  # must be there before `install` takes its place
from llvmlite import ir
from llvmlite.binding import Linkage
from numba import _dynfunc, types  # pyright: ignore[reportAttributeAccessIssue]
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.imputils import lower_constant
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array


def set_environments(result) -> None:
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


def part(function, arrays: bool, inlined: bool):
    """Compiles a function as a part of others: see `sim.compiled.inner_njit`."""
    # Numba's type hints leave these options out.
    found = numba.njit(  # pyright: ignore[reportCallIssue]
        no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=arrays, forceinline=inlined, pipeline_class=_PartCompiler
    )(function)
    if isinstance(found, Dispatcher):  # else the compiler is off
        found.get_call_template = functools.partial(_call_template, found.get_call_template)
    return found


def decision(function):
    """Compiles a decision: references to the arrays that it is handed are not counted."""
    # Numba's type hints leave this option out.
    return numba.njit(cache=True, _nrt=False)(function)  # pyright: ignore[reportCallIssue]


def _call_template(numbas_own, args, kws):
    """What Numba types a call by. It would compile a function anew for each number that is written as an argument."""
    return numbas_own(tuple(map(types.unliteral, args)), {name: types.unliteral(kws[name]) for name in kws})


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


def on_the_stack(room) -> None:
    """Has compiled code take the arrays that a function makes, of a constant size and a type, from the stack."""
    # Inlined: the stack is that of whoever asks. Without counted references Numba would take no such function.
    options = {"_nrt": True}

    @overload(room, jit_options=options, inline="always", prefer_literal=True)  # pyright: ignore[reportArgumentType]
    def _(count, dtype):
        return lambda count, dtype: _on_the_stack(count, dtype)  # pyright: ignore[reportCallIssue]  # as in sim.dice


def install(is_ours) -> None:
    """Has Numba put together out of parts what can be called, and know functions of ours by their type alone.

    Numba lowers a function that is passed to another as an address in this process, and code with such an address is
    not cached: every start of a policy that looks ahead would compile the whole game again. The value is never read.
    """
    JITCPUCodegen._library_class = _Whole  # pyright: ignore[reportPrivateUsage]

    @lower_constant(types.Dispatcher)
    def _(context, builder, typ, function):
        if is_ours(function.py_func):
            return context.get_constant_null(typ)
        return context.add_dynamic_addr(builder, id(function), info=type(function).__name__)
