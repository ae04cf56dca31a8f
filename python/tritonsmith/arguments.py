"""A launch's arguments as the TTIR function has its parameters: constants dropped, tuples flattened, descriptors expanded."""

import torch

from . import device as fake

from .errors import TraceError
from .values import dtype_name, encode_float, encode_int


def flatten(kernel, args, recorder, line):
    """(VALUEs, tensors that the kernel may write)."""
    values, tensors = [], []
    for (name, kind), value in zip(kernel.src.signature.items(), args):
        _flatten(kind, value, name, kernel, recorder, line, values, tensors)
    return values, tensors


def _flatten(kind, value, name, kernel, recorder, line, values, tensors):
    if isinstance(kind, tuple):
        for inner, item in zip(kind, value):
            _flatten(inner, item, name, kernel, recorder, line, values, tensors)
    elif kind == "constexpr":
        return
    elif kind.startswith("tensordesc"):
        _descriptor(value, kernel, recorder, line, values, tensors)
    elif kind[0] == "*":
        values.append(_pointer(value, name, kernel, recorder, line, tensors))
    elif kind.startswith(("fp", "bf", "f")):
        values.append(encode_float(float(value)))
    elif kind in ("i1", "u1"):
        values.append(bool(value))
    else:
        number = int(value)
        place = _place(number, recorder)
        values.append(place or encode_int(number))


def _pointer(value, name, kernel, recorder, line, tensors):
    base = getattr(value, "base", None)
    if not isinstance(value, torch.Tensor) and isinstance(base, torch.Tensor):
        # triton.reinterpret: another element type over the same memory.
        value = base
        return _place(_tensor(value, name, kernel, recorder, line, tensors).data_ptr(), recorder)
    if isinstance(value, torch.Tensor):
        return {"tensor": recorder.buffers.describe(_tensor(value, name, kernel, recorder, line, tensors), line)}
    address = value if isinstance(value, int) else value.data_ptr()
    place = _place(address, recorder)
    if place is None:
        return encode_int(address)
    return place


def _tensor(value, name, kernel, recorder, line, tensors):
    if value.device.type != "cuda":
        raise ValueError(f"Pointer argument {name} of kernel {kernel.name} cannot be accessed from Triton (a tensor on {value.device})")
    if type(value) is not torch.Tensor and not has_memory(value):
        raise TraceError(f"pointer argument {name} of kernel {kernel.name} is a {type(value).__name__}, a tensor without memory of its own", line)
    recorder.buffers.id_of(value, line)
    tensors.append(value)
    return value


def has_memory(tensor):
    """False of a subclass that only wraps tensors."""
    try:
        tensor.untyped_storage().data_ptr()
    except RuntimeError:
        return False
    return True


def _place(address, recorder):
    """{"pointer": …} of an address inside a live buffer, else None."""
    if not fake.BASE <= address < fake.BASE + fake.SPAN:
        return None
    found = recorder.buffers.at_address(address)
    if found is None:
        return None
    return {"pointer": {"buffer": found[0], "offset": found[1]}}


def _descriptor(value, kernel, recorder, line, values, tensors):
    """triton.tools.tensor_descriptor.TensorDescriptor. Targets without TMA get a pointer, sizes and strides twice (Triton's
    backends/nvidia/driver.py, make_tensordesc_arg)."""
    base = _tensor(value.base, "descriptor", kernel, recorder, line, tensors)
    shape, strides = [encode_int(n) for n in value.shape], [encode_int(n) for n in value.strides]
    tensor = {"buffer": recorder.buffers.id_of(base, line), "dtype": dtype_name(base.dtype), "shape": shape,
              "stride": strides, "offset": base.storage_offset()}
    padding = getattr(value, "padding", "zero")
    if kernel.metadata.target.arch >= 90:
        values.append({"descriptor": {"base": tensor, "block": [int(n) for n in value.block_shape], "padding": padding}})
    else:
        values.extend([{"tensor": tensor}, *shape, *strides, padding == "nan"])
    values.extend([*shape, *strides])


