"""Python values to the plan's VALUE form and back (docs/plan.md)."""

import dataclasses
import math

import torch

from .errors import Unsupported

DTYPES = {
    torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16",
    torch.float8_e4m3fn: "f8e4m3fn", torch.float8_e5m2: "f8e5m2",
    torch.float8_e4m3fnuz: "f8e4m3fnuz", torch.float8_e5m2fnuz: "f8e5m2fnuz",
    torch.int64: "i64", torch.int32: "i32", torch.int16: "i16", torch.int8: "i8",
    torch.uint64: "u64", torch.uint32: "u32", torch.uint16: "u16", torch.uint8: "u8",
    torch.bool: "b1", torch.complex64: "c64", torch.complex128: "c128",
}
DTYPE_OF = {name: dtype for dtype, name in DTYPES.items()}


def dtype_name(dtype):
    name = DTYPES.get(dtype)
    if name is None:
        raise Unsupported(f"a plan has no tensors of dtype {dtype}")
    return name


def encode_float(number):
    if math.isfinite(number):
        return number
    return {"float": "nan" if number != number else "inf" if number > 0 else "-inf"}


def encode_int(number):
    """Integers are 64 bits wide; an unsigned one beyond is given by its bits."""
    number = int(number)
    if -(2**63) <= number < 2**63:
        return number
    if number < 2**64:
        return number - 2**64
    raise Unsupported(f"the integer {number} does not fit into 64 bits")


def encode(value, tensor):
    """@param tensor: makes the TENSOR of a torch.Tensor."""
    if value is None or value is True or value is False:
        return value
    kind = type(value)
    if kind is int:
        return encode_int(value)
    if kind is float:
        return encode_float(value)
    if kind is list:
        return [encode(item, tensor) for item in value]
    if isinstance(value, torch.Tensor):
        return {"tensor": tensor(value)}
    return _encode_rest(value, tensor)


def _encode_rest(value, tensor):
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple):
        return {"tuple": [encode(item, tensor) for item in value]}
    if isinstance(value, torch.dtype):
        return {"dtype": dtype_name(value)}
    if isinstance(value, torch.device):
        return {"device": value.type}
    if isinstance(value, torch.layout):
        return {"layout": str(value).removeprefix("torch.")}
    if isinstance(value, torch.memory_format):
        return {"memory_format": str(value).removeprefix("torch.")}
    if isinstance(value, torch.Generator):
        return {"generator": "default"}
    if isinstance(value, complex):
        return {"complex": [encode_float(value.real), encode_float(value.imag)]}
    if isinstance(value, (set, frozenset, list)):
        return [encode(item, tensor) for item in value]
    if isinstance(value, dict):
        return {"dict": [[str(key), encode(item, tensor)] for key, item in value.items()]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {"dict": [[f.name, encode(getattr(value, f.name), tensor)] for f in dataclasses.fields(value)]}
    for convert, encoder in (("__index__", encode_int), ("__float__", lambda v: encode_float(float(v)))):
        if hasattr(value, convert):
            return encoder(value)
    raise Unsupported(f"a plan cannot hold a value of type {type(value).__name__}")


def decode(value, tensor):
    """The inverse of `encode` for a call's arguments. @param tensor: makes a torch.Tensor of a TENSOR."""
    if isinstance(value, list):
        return [decode(item, tensor) for item in value]
    if not isinstance(value, dict):
        return value
    ((key, inner),) = value.items()
    if key == "tensor":
        return tensor(inner)
    if key == "tuple":
        return tuple(decode(item, tensor) for item in inner)
    if key == "dict":
        return {name: decode(item, tensor) for name, item in inner}
    if key == "float":
        return float(inner)
    if key == "complex":
        return complex(*(decode(part, tensor) for part in inner))
    if key == "dtype":
        return DTYPE_OF[inner]
    if key == "device":
        return torch.device(inner)
    if key in ("layout", "memory_format"):
        return getattr(torch, inner)
    raise Unsupported(f"a call's argument cannot be a {key}")


def by_key(value):
    """A result whose dictionaries are in the order of their keys: they are equal whatever order they were filled in."""
    if isinstance(value, dict):
        return {key: by_key(value[key]) for key in sorted(value, key=str)}
    if type(value) in (list, tuple):
        return type(value)(by_key(item) for item in value)
    return value


def tensors_in(value):
    """All tensors of an argument list, depth first."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)
