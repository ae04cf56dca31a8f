"""Cases of the TTIR corpus: small kernels with arguments, from which TTIR texts and reference results are made.

A case is a @triton.jit kernel with a grid and one value for each parameter: `T(...)` describes a tensor, a plain number is a
scalar, parameters annotated tl.constexpr are compile-time constants.
"""
import dataclasses
import inspect

import triton.language as tl

ALL = (80, 90, 100)

# name → (torch dtype's name, Triton's signature)
DTYPES = {
    "f64": ("float64", "fp64"), "f32": ("float32", "fp32"), "f16": ("float16", "fp16"), "bf16": ("bfloat16", "bf16"),
    "f8e4m3fn": ("float8_e4m3fn", "fp8e4nv"), "f8e5m2": ("float8_e5m2", "fp8e5"),
    "i64": ("int64", "i64"), "i32": ("int32", "i32"), "i16": ("int16", "i16"), "i8": ("int8", "i8"),
    "u8": ("uint8", "u8"), "u32": ("uint32", "u32"), "u64": ("uint64", "u64"), "b1": ("bool", "i1"),
}


@dataclasses.dataclass
class T:
    """A tensor argument. `fill`: normal, positive, uniform (0..1), zeros, range, or ints (low..high)."""
    dtype: str
    shape: tuple
    fill: str = "normal"
    low: int = -100
    high: int = 100


def o(dtype, *shape):
    """An output: starts as zeros."""
    return T(dtype, shape, "zeros")


@dataclasses.dataclass
class Case:
    name: str
    kernel: object
    grid: tuple
    arguments: dict
    targets: tuple
    ulp: float          # allowed distance to the reference in units in the last place of the output's type
    absolute: float     # ... or absolute distance
    reference: object   # function of dict name → tensor that changes outputs in place; None: Triton's own interpreter
    num_warps: int
    compare: bool = True
    refused: str = ""   # our interpreter must refuse it: reason code of the finding, or the operation it does not have

    def function(self):
        return getattr(self.kernel, "fn", self.kernel)

    def constants(self):
        parameters = inspect.signature(self.function()).parameters
        return {n: self.arguments[n] for n, p in parameters.items() if p.annotation is tl.constexpr}

    def runtime(self):
        """Names of the parameters that the TTIR function has, in order."""
        parameters = inspect.signature(self.function()).parameters
        return [n for n, p in parameters.items() if p.annotation is not tl.constexpr]

    def signature(self):
        out = {}
        for name in inspect.signature(self.function()).parameters:
            value = self.arguments[name]
            if name in self.constants():
                out[name] = "constexpr"
            elif isinstance(value, T):
                out[name] = "*" + DTYPES[value.dtype][1]
            elif isinstance(value, float):
                out[name] = "fp32"
            else:
                out[name] = "i32" if -2**31 <= value < 2**31 else "i64"
        return out

    def attributes(self):
        """Divisibility as Triton's own specialisation sees it: aligned pointers, integers that 16 divides."""
        out = {}
        for index, (name, kind) in enumerate(self.signature().items()):
            value = self.arguments[name]
            if kind.startswith("*") or (kind.startswith("i") and value % 16 == 0):
                out[(index,)] = [["tt.divisibility", 16]]
        return out


CASES = []


def case(grid=(1,), targets=ALL, ulp=0, absolute=0.0, reference=None, num_warps=4, variant="", compare=True, refused="", **arguments):
    """Adds the decorated kernel; stacked uses add variants."""
    def add(kernel):
        name = getattr(kernel, "fn", kernel).__name__ + ("_" + variant if variant else "")
        padded = (tuple(grid) + (1, 1))[:3]
        CASES.append(Case(name, kernel, padded, arguments, targets, ulp, absolute, reference, num_warps, compare, refused))
        return kernel
    return add
