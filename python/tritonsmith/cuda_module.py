"""torch.cuda of a device that is not there: an H100 that has always finished."""

import contextlib
import types

import torch

_PROPERTIES = types.SimpleNamespace(name="NVIDIA H100", major=9, minor=0, multi_processor_count=132, total_memory=80 << 30,
                                    shared_memory_per_block=49152, shared_memory_per_block_optin=232448,
                                    shared_memory_per_multiprocessor=233472, regs_per_multiprocessor=65536, warp_size=32,
                                    max_threads_per_multi_processor=2048, L2_cache_size=50 << 20)


class _Idle:
    """A stream or an event of a device that has always finished."""

    cuda_stream = 0

    def __init__(self, *args, **kwargs):
        pass

    def record(self, *args):
        pass

    synchronize = wait = wait_stream = wait_event = record

    def record_event(self, event=None):
        return event or _Idle()

    def query(self):
        return True

    def elapsed_time(self, other):
        return 1.0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


class _Guard:
    """Makes a device or a stream the present one."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


class _Graph:
    """CUDA graphs hold what was launched, and here nothing is."""

    def __init__(self, *args, **kwargs):
        raise RuntimeError("CUDA graphs are not supported on the device that is not there")


class _Generator(torch.Generator):
    def __new__(cls, device=None):
        return super().__new__(cls)


class _DefaultGenerator:
    """CUDA's own generator as programs look into it: its state is a seed and an offset."""

    def __init__(self, device):
        self.device = device
        self._state = torch.tensor([0, 0], dtype=torch.int64).view(torch.uint8)

    def get_state(self):
        return self._state.clone()

    def set_state(self, state):
        self._state = state.clone()

    def initial_seed(self):
        return int(self._state.view(torch.int64)[0])

    seed = initial_seed


def _autocast_on_cpu(original):
    """autocast("cuda") is autocast of the CPU with CUDA's default type."""

    def __init__(self, device_type, dtype=None, *args, **kwargs):
        if device_type == "cuda":
            device_type, dtype = "cpu", dtype or torch.float16
        original(self, device_type, dtype, *args, **kwargs)

    return __init__


def install(device):
    """For the rest of the process."""
    cuda = torch.cuda
    cuda.is_available = cuda.is_initialized = cuda.is_bf16_supported = lambda *_, **__: True
    cuda.is_current_stream_capturing = cuda.graphs.is_current_stream_capturing = lambda: False
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_name = lambda *_: _PROPERTIES.name
    cuda.get_device_properties = lambda *_: _PROPERTIES
    cuda.get_device_capability = lambda *_: (_PROPERTIES.major, _PROPERTIES.minor)
    cuda.mem_get_info = lambda *_: (_PROPERTIES.total_memory, _PROPERTIES.total_memory)
    for name in ("set_device", "synchronize", "empty_cache", "manual_seed", "manual_seed_all", "reset_peak_memory_stats", "_lazy_init", "init",
                 "ipc_collect", "set_stream"):
        setattr(cuda, name, lambda *_, **__: None)
    for name in ("max_memory_allocated", "memory_allocated", "max_memory_reserved", "memory_reserved"):
        setattr(cuda, name, lambda *_, **__: 0)
    for name in ("device", "device_of", "stream", "_DeviceGuard"):
        setattr(cuda, name, type(name, (_Guard,), {}))
    cuda.Event, cuda.Stream = _Idle, _Idle
    cuda.current_stream = cuda.default_stream = lambda *_: _Idle()
    cuda.CUDAGraph = cuda.graph = _Graph
    for name in ("range_push", "range_pop", "mark"):
        setattr(cuda.nvtx, name, lambda *_, **__: None)
    cuda.nvtx.range = lambda *_, **__: contextlib.nullcontext()
    cuda.default_generators = (_DefaultGenerator(device),)
    torch.Generator = _Generator
    torch.autocast.__init__ = _autocast_on_cpu(torch.autocast.__init__)
    torch._C._cuda_getCurrentRawStream = lambda device: 0
    accelerator = torch.accelerator
    accelerator.is_available = lambda: True
    accelerator.current_accelerator = lambda *_, **__: torch.device(device.type)
    accelerator.device_count = lambda: 1
    accelerator.current_device_index = lambda: 0
    for name in ("synchronize", "set_device_index", "empty_cache"):
        setattr(accelerator, name, lambda *_, **__: None)


def triton_properties():
    """What Triton's driver tells of the device."""
    return {"max_shared_mem": _PROPERTIES.shared_memory_per_block_optin, "max_num_regs": _PROPERTIES.regs_per_multiprocessor,
            "multiprocessor_count": _PROPERTIES.multi_processor_count, "warpSize": _PROPERTIES.warp_size,
            "sm_clock_rate": 1980000, "mem_clock_rate": 2619000, "mem_bus_width": 5120}
