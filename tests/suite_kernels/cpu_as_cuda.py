"""PyTorch's CPU passes for a CUDA device: what a program makes on "cuda" lies in host memory, and says it is on cuda:0."""

import contextlib
import types

import torch
from torch.overrides import TorchFunctionMode

_CUDA = torch.device("cuda", 0)
_PROPERTIES = types.SimpleNamespace(name="NVIDIA H100", major=9, minor=0, multi_processor_count=132, total_memory=80 << 30,
                                    shared_memory_per_block_optin=232448, shared_memory_per_multiprocessor=233472,
                                    regs_per_multiprocessor=65536, warp_size=32, max_threads_per_multi_processor=2048)


def _is_cuda(value):
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and value.split(":")[0] == "cuda"


def _on_cpu(value):
    return torch.device("cpu") if _is_cuda(value) else value


_UNWRITTEN = (torch.empty, torch.empty_like, torch.empty_strided, torch.Tensor.new_empty, torch.Tensor.new_empty_strided)


class CpuAsCuda(TorchFunctionMode):
    """Memory that nothing has written is zero, so that runs repeat."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if name == "__get__":
            of = getattr(getattr(func, "__self__", None), "__name__", "")
            if of == "is_cuda":
                return True
            if of == "device":
                return _CUDA
        elif func in (torch.Tensor.cuda, torch.Tensor.pin_memory, torch.Tensor.record_stream):
            return args[0]
        elif func is torch.Tensor.get_device:
            return 0
        elif func is torch.Tensor.to and isinstance(kwargs.get("device", args[1] if len(args) > 1 else None), int):
            return args[0]
        args = tuple(_on_cpu(a) for a in args)
        if "device" in kwargs:
            kwargs = {**kwargs, "device": _on_cpu(kwargs["device"])}
        if "pin_memory" in kwargs:
            kwargs = {**kwargs, "pin_memory": False}
        result = func(*args, **kwargs)
        return result.zero_() if func in _UNWRITTEN and not result.requires_grad else result


class _Idle:
    """A stream or an event of a device that has always finished."""

    cuda_stream = 0

    def __init__(self, *args, **kwargs):
        pass

    def record(self, *args):
        pass

    synchronize = wait = wait_stream = wait_event = record

    def query(self):
        return True

    def elapsed_time(self, other):
        return 1.0


class _Generator(torch.Generator):
    def __new__(cls, device=None):
        return super().__new__(cls)


class _DefaultGenerator:
    """CUDA's own generator as programs look into it: its state is a seed and an offset."""

    device = _CUDA

    def __init__(self):
        self._state = torch.tensor([0, 0], dtype=torch.int64).view(torch.uint8)

    def get_state(self):
        return self._state.clone()

    def set_state(self, state):
        self._state = state.clone()

    def initial_seed(self):
        return int(self._state.view(torch.int64)[0])

    seed = initial_seed


def install():
    """For the rest of the process."""
    cuda = torch.cuda
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_name = lambda *_: _PROPERTIES.name
    cuda.get_device_properties = lambda *_: _PROPERTIES
    cuda.get_device_capability = lambda *_: (9, 0)
    for name in ("set_device", "synchronize", "empty_cache", "manual_seed", "manual_seed_all", "reset_peak_memory_stats", "_lazy_init", "init"):
        setattr(cuda, name, lambda *_, **__: None)
    cuda.max_memory_allocated = cuda.memory_allocated = lambda *_: 0
    for name in ("device", "device_of", "stream", "_DeviceGuard"):
        setattr(cuda, name, lambda *_, **__: contextlib.nullcontext())
    cuda.Event, cuda.Stream = _Idle, _Idle
    cuda.current_stream = cuda.default_stream = lambda *_: _Idle()
    cuda.default_generators = (_DefaultGenerator(),)
    torch.Generator = _Generator
    # Inductor's own names.
    guards = torch._C._dynamo.guards
    guards._empty_strided_cuda = guards._empty_strided_cpu
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    torch.autograd.set_multithreading_enabled(False)  # backward runs where the mode is active


def triton_properties():
    """What Triton's driver tells of the device."""
    return {"max_shared_mem": _PROPERTIES.shared_memory_per_block_optin, "max_num_regs": _PROPERTIES.regs_per_multiprocessor,
            "multiprocessor_count": _PROPERTIES.multi_processor_count, "warpSize": _PROPERTIES.warp_size,
            "sm_clock_rate": 1980000, "mem_clock_rate": 2619000, "mem_bus_width": 5120}
