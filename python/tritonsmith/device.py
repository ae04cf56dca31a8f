"""The CUDA device that computes nothing, as the tracer drives it (native/fake_cuda*.c)."""

import ctypes
import re

import torch

from .errors import TraceError

BASE, SPAN = 0x200000000000, 1 << 46
_library = None


def load():
    """The preloaded runtime. Raises RuntimeError where the process was started without it."""
    global _library
    if _library is None:
        library = ctypes.CDLL(None)
        if not hasattr(library, "tritonsmith_fake_set_target"):
            raise RuntimeError("the tracer runs without libfakecudart.so: LD_PRELOAD must name it (docs/protocols.md)")
        _library = library
        _library.reads = ctypes.c_int.in_dll(library, "tritonsmith_fake_reads")
        _library.orders = ctypes.c_int.in_dll(library, "tritonsmith_fake_orders")
    return _library


def reads():
    """Copies from the device to the host so far."""
    return _library.reads.value


# What orders streams (native/fake_cuda_runtime.c): an event is recorded on a stream, a stream waits for an event, the host knows that a
# stream, an event or all has ended.
RECORD, WAIT, STREAM_ENDED, EVENT_ENDED, ALL_ENDED = range(5)
_MOST_ORDERS = 65536


class _Order(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint64), ("stream", ctypes.c_uint64), ("event", ctypes.c_uint64)]


def orders():
    """What was asked for since the last time: (kind, stream, event) in order."""
    if not _library.orders.value:
        return ()
    taken = (_Order * _MOST_ORDERS)()
    count = _library.tritonsmith_fake_take_orders(taken)
    return [(o.kind, o.stream, o.event) for o in taken[:count]]


def capability(target):
    found = re.fullmatch(r"sm_(\d+)a?", target)
    if not found:
        raise TraceError(f'target "{target}" is not of the form sm_90')
    return int(found[1])


def initialise():
    """Makes PyTorch meet its GPU, and keeps it believing in it after a fork."""
    load()
    torch.empty(1, device="cuda")
    torch.cuda._is_in_bad_fork = lambda: False
    # Tensors made from Python values are built on the host and then copied where the recorder sees it.
    torch._C._set_only_lift_cpu_tensors(True)


def set_target(target):
    """Gives the device the properties of `target`, those that PyTorch has cached included."""
    number = capability(target)
    if _library.tritonsmith_fake_set_target(number) != 0:
        raise TraceError(f'no properties are known of a GPU for target "{target}"; known are sm_80, sm_90, sm_100')
    current = getattr(ctypes.CDLL("libtorch_cuda.so"), "_ZN2at4cuda26getCurrentDevicePropertiesEv")
    current.restype = ctypes.c_void_p
    _library.tritonsmith_fake_properties(ctypes.c_void_p(current()))
    return number


_CLOCK_RATE, _MEMORY_CLOCK_RATE, _MEMORY_BUS_WIDTH = 13, 36, 37  # cudaDeviceAttr


def _attribute(number):
    value = ctypes.c_int()
    _library.cudaDeviceGetAttribute(ctypes.byref(value), number, 0)
    return value.value


def triton_properties():
    """What Triton's driver tells of the device."""
    properties = torch.cuda.get_device_properties(0)
    return {
        "max_shared_mem": properties.shared_memory_per_block_optin,
        "max_num_regs": properties.regs_per_multiprocessor,
        "multiprocessor_count": properties.multi_processor_count,
        "warpSize": properties.warp_size,
        "sm_clock_rate": _attribute(_CLOCK_RATE),
        "mem_clock_rate": _attribute(_MEMORY_CLOCK_RATE),
        "mem_bus_width": _attribute(_MEMORY_BUS_WIDTH),
    }
