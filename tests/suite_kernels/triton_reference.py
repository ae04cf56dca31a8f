"""Triton's own interpreter, run on a kernel that was declared for compilation, and corrected where it is known to be wrong:
arithmetic, products and conversions of bfloat16 and 8-bit floats (it computes on their bits, or truncates), and functions of
libdevice (it has none; here they are computed in float64).
"""

import contextlib
import math
import signal
import time
import types

import numpy as np
import torch
import triton.language as tl
import triton.language.extra as extra
from triton.runtime import interpreter as theirs
from triton.runtime.interpreter import InterpretedFunction, InterpreterBuilder, TensorHandle
from triton.runtime.jit import JITFunction

_NARROW = {tl.bfloat16: torch.bfloat16, tl.float8e5: torch.float8_e5m2, tl.float8e4nv: torch.float8_e4m3fn}
LONGEST = 15  # seconds of a launch's programs, after which the first is taken to wait for the others
_LARGEST = {tl.float8e5: 57344.0, tl.float8e4nv: 448.0}


def _widened(data, dtype):
    """Values that numpy can compute with: float32 in place of the bits of what numpy does not have."""
    narrow = _NARROW.get(dtype.scalar)
    if narrow is None:
        return data
    with torch._C.DisableTorchFunction():
        return torch.from_numpy(np.ascontiguousarray(data)).view(narrow).float().numpy().reshape(np.shape(data))


def _narrowed(data, dtype):
    """Rounded to nearest even; to 8 bits saturating, as the hardware does."""
    narrow = _NARROW.get(dtype.scalar)
    if narrow is None:
        return data.astype(theirs._get_np_dtype(dtype.scalar))
    with torch._C.DisableTorchFunction():
        values = torch.from_numpy(np.ascontiguousarray(data).astype(np.float32))
        if dtype.scalar in _LARGEST:
            largest = _LARGEST[dtype.scalar]
            values = torch.where(values.isnan(), values, values.clamp(-largest, largest))
        bits = torch.uint16 if narrow == torch.bfloat16 else torch.uint8
        return values.to(narrow).view(bits).numpy().reshape(np.shape(data))


def _cast(self, source, destination):
    return TensorHandle(_narrowed(_widened(source.data, source.dtype), destination), destination.scalar)


def _elementwise(original):
    """The builder's method, computing on widened values."""

    def method(self, *arguments):
        handles = [a for a in arguments if isinstance(a, TensorHandle)]
        narrow = next((a.dtype.scalar for a in handles if a.dtype.scalar in _NARROW), None)
        if narrow is None:
            return original(self, *arguments)
        wide = [TensorHandle(_widened(a.data, a.dtype), tl.float32) if isinstance(a, TensorHandle) and a.dtype.scalar in _NARROW else a
                for a in arguments]
        result = original(self, *wide)
        if result.data.dtype == np.bool_:
            return TensorHandle(result.data, tl.int1)
        return TensorHandle(_narrowed(result.data, narrow), narrow)

    return method


def _dot(self, a, b, d, input_precision, max_num_imprecise_acc):
    lhs, rhs = _widened(a.data, a.dtype), _widened(b.data, b.dtype)
    product = np.matmul(lhs.astype(d.data.dtype), rhs.astype(d.data.dtype))
    return TensorHandle(product + d.data, d.dtype.scalar)


def _guarded(original):
    def method(self, lhs, rhs):
        if rhs.data.size == 1 and not rhs.data.any():
            raise Fault("integer_division", "a division by zero")
        return original(self, lhs, rhs)

    return method


def _reciprocal_square_root(x):
    return 1.0 / np.sqrt(x)


_LIBDEVICE = {
    "erf": np.vectorize(math.erf, otypes=[np.float64]), "tanh": np.tanh, "rsqrt": _reciprocal_square_root, "pow": np.power, "powi": np.power,
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sqrt": np.sqrt,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "sinh": np.sinh, "cosh": np.cosh, "fabs": np.abs, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rint": np.rint,
    "fmod": np.fmod, "fmax": np.fmax, "fmin": np.fmin,
}


def _extern(self, library, path, symbol, arguments, result, is_pure):
    name = symbol.removeprefix("__nv_")
    function = _LIBDEVICE.get(name) or _LIBDEVICE.get(name.removeprefix("fast_").removesuffix("f"))
    if function is None:
        raise NotImplementedError(f"{symbol} in the reference")
    with np.errstate(all="ignore"):
        values = function(*[np.asarray(a.data, dtype=np.float64) for a in arguments])
    element = result.scalar
    return TensorHandle(values.astype(theirs._get_np_dtype(element)), element)


class Fault(Exception):
    """The program does what it must not. `reason` as in docs/reasons.md."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


class Waits(Exception):
    """A program seems to wait for one that has not run yet."""


_ranges = []  # (first address, address after the last byte) of what the running kernel may touch, ascending


def _checked(original):
    """The builder's masked load or store, which refuses addresses outside of the launch's memory."""

    def method(self, pointers, *rest):
        mask = rest[0] if original is _load else rest[1]
        addresses = pointers.data[np.broadcast_to(mask.data, pointers.data.shape)]
        if addresses.size:
            starts, ends = np.array([r[0] for r in _ranges], np.uint64), np.array([r[1] for r in _ranges], np.uint64)
            width = np.uint64(theirs._get_np_dtype(pointers.get_element_ty()).itemsize)
            place = np.searchsorted(starts, addresses, side="right") - 1
            if (place < 0).any() or (addresses + width > ends[place]).any():
                raise Fault("out_of_bounds", "a load or store outside of every tensor")
        return original(self, pointers, *rest)

    return method


_load, _store = InterpreterBuilder.create_masked_load, InterpreterBuilder.create_masked_store


def install():
    """Once. Helper functions become callable from interpreted kernels; compiling kernels stays possible."""
    for name in ("binary_op", "unary_op"):
        setattr(InterpreterBuilder, name, _elementwise(getattr(InterpreterBuilder, name)))
    for name in ("create_idiv", "create_srem", "create_urem"):
        setattr(InterpreterBuilder, name, _guarded(getattr(InterpreterBuilder, name)))
    for name in ("create_fma", "create_clampf", "create_fabs", "create_erf", "create_rsqrt"):
        setattr(InterpreterBuilder, name, _elementwise(getattr(InterpreterBuilder, name)))
    InterpreterBuilder.cast_impl = _cast
    InterpreterBuilder.create_fp_to_fp = lambda self, source, destination, rounding: _cast(self, source, destination)
    InterpreterBuilder.create_dot = _dot
    InterpreterBuilder.create_masked_load, InterpreterBuilder.create_masked_store = _checked(_load), _checked(_store)
    InterpreterBuilder.create_extern_elementwise = _extern
    JITFunction.__call__ = lambda self, *args, **kwargs: _rewritten(self)(*args, **kwargs)


_bodies = {}


def _rewritten(function):
    body = _bodies.get(function)
    if body is None:
        body = _bodies[function] = InterpretedFunction(function.fn).rewrite()
    return body


_all_of_triton = types.FunctionType(compile("0", "", "eval"), {"tl": tl, "core": tl.core})


@contextlib.contextmanager
def _language(function):
    """The language's functions as the interpreter has them, in every module that a kernel may reach, and put back."""
    scopes = [theirs._patch_lang(_all_of_triton)]
    scope = theirs._LangPatchScope()
    # triton.language.extra.libdevice has only names; a compilation puts CUDA's functions in their place.
    table = {name: member for name, member in vars(extra.cuda.libdevice).items() if tl.core.is_builtin(member)}
    for module in (extra.libdevice, extra.cuda.libdevice):
        for name, member in table.items():
            theirs._patch_attr(module, name, member, theirs.interpreter_builder, scope)
    names = _Globals(function.fn.__globals__)
    for name, value in list(function.fn.__globals__.items()):  # from … import tanh
        if tl.core.is_builtin(value):
            theirs._patch_attr(names, name, value, theirs.interpreter_builder, scope)
        elif getattr(value, "__module__", "") == extra.libdevice.__name__ and value.__name__ in table:
            theirs._patch_attr(names, name, table[value.__name__], theirs.interpreter_builder, scope)
    scopes.append(scope)
    try:
        yield
    finally:
        for one in reversed(scopes):
            one.restore()


class _Globals:
    """A dictionary whose entries are attributes."""

    def __init__(self, entries):
        object.__setattr__(self, "_entries", entries)

    def __getattr__(self, name):
        try:
            return self._entries[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self._entries[name] = value

    def __delattr__(self, name):
        del self._entries[name]


def _spread(count, chosen):
    """Indices of `chosen` of `count` programs, the first and the last among them."""
    if chosen >= count:
        return range(count)
    return sorted({round(i * (count - 1) / max(1, chosen - 1)) for i in range(chosen)})


def _argument(parameter, kind, value):
    if parameter.is_constexpr:
        return value
    if isinstance(value, float) and kind != "constexpr":  # the interpreter leaves these to Python
        return tl.tensor(TensorHandle(np.array([value], dtype=np.float32), tl.float32), tl.float32)
    return theirs._implicit_cvt(value)


def run(function, signature, grid, args, memory, seconds, backwards=False):
    """Runs programs of the launch in place, as many as the time allows, in ascending order or backwards.
    @param memory: (address, bytes) of each storage that the launch may touch. @returns linear indices; None: all programs.
    @raises Fault, Waits"""
    _ranges[:] = sorted((begin, begin + size) for begin, size in memory)
    while not isinstance(function, JITFunction):
        function = function.fn
    body = _rewritten(function)
    values = {p.name: _argument(p, signature[p.name], arg) for p, arg in zip(function.params, args)}
    count = math.prod(grid)
    begin, done = time.thread_time(), []
    theirs.interpreter_builder.set_grid_dim(*grid)

    def program(index):
        index = count - 1 - index if backwards else index
        theirs.interpreter_builder.set_grid_idx(index % grid[0], index // grid[0] % grid[1], index // (grid[0] * grid[1]))
        body(**values)
        done.append(index)

    def waits(*_):
        raise Waits(f"programs run for more than {LONGEST} s")

    # Processor time, so that a busy machine changes nothing.
    signal.signal(signal.SIGPROF, waits)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    with _language(function), np.errstate(all="ignore"), contextlib.ExitStack() as at_end:
        at_end.callback(signal.setitimer, signal.ITIMER_PROF, 0)
        first = min(count, 2)
        for index in range(first):
            program(index)
        each = (time.thread_time() - begin) / first
        affordable = max(1, int(seconds / max(each, 1e-6)))
        rest = _spread(count - first, affordable) if count > first else []
        for index in rest:
            if time.thread_time() - begin > 2 * seconds:
                break
            program(first + index)
    return None if len(done) == count else done
