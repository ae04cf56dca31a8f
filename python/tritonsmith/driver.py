"""Triton's driver of the device that computes nothing."""

import torch
from triton.backends.driver import DriverBase
from triton.backends.nvidia.driver import ty_to_cpp

from . import current
from . import device as fake
from .errors import TraceError


class _Utils:
    def load_binary(self, name, kernel, shared, device):
        raise TraceError("loading a compiled kernel is not possible while tracing")

    def get_device_properties(self, device):
        return fake.triton_properties()


class RecordingDriver(DriverBase):
    def __init__(self):
        self.utils = _Utils()
        self.get_device_capability = torch.cuda.get_device_capability

    launcher_cls = None

    @classmethod
    def is_active(cls):
        return True

    def map_python_to_cpp_type(self, ty):
        return ty_to_cpp(ty)

    def get_current_target(self):
        return current.target

    def get_active_torch_device(self):
        return torch.device("cuda", 0)

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        torch.cuda.set_device(device)

    def get_current_stream(self, device):
        return 0

    def get_device_interface(self):
        return torch.cuda

    def get_benchmarker(self):
        return once

    def get_empty_cache_for_benchmark(self):
        return torch.empty(0, dtype=torch.int, device="cuda")

    def clear_cache(self, cache):
        pass


def once(call, *args, quantiles=None, return_mode="mean", **kwargs):
    """Benchmarks run what they time once: there is no clock in a plan."""
    call()
    if quantiles is not None:
        return [1.0] * len(quantiles) if len(quantiles) > 1 else 1.0
    return [1.0] if return_mode == "all" else 1.0
