"""What the program must not find on the host: functions of PyTorch that read a tensor's memory without asking an operator,
or that leave eager mode."""

import contextlib

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import DeviceContext

from .. import eager
from . import attention, clocks

_READERS = {torch.Tensor.numpy: "Tensor.numpy()", torch.Tensor.tolist: "Tensor.tolist()",
            torch.Tensor.__array__: "Tensor.__array__()", torch.Tensor.__repr__: "the text of a tensor",
            torch.Tensor.__format__: "the text of a tensor", torch.Tensor.__dlpack__: "Tensor.__dlpack__()"}


def _one_hot(indices, num_classes=-1):
    """As on a GPU, where nobody looks whether the indices are in range (ATen/native/Onehot.cpp)."""
    if num_classes <= 0 or indices.numel() == 0:
        return torch._C._nn.one_hot(indices, num_classes)
    out = torch.zeros(*indices.shape, num_classes, dtype=indices.dtype, device=indices.device)
    return out.scatter_(-1, indices.unsqueeze(-1), 1)


# Functions that read values on the CPU and not on a GPU, or are taken apart there.
_AS_ON_A_GPU = {torch._C._nn.one_hot: _one_hot, torch.nn.functional.scaled_dot_product_attention: attention.fused}


class HostMode(TorchFunctionMode):
    """Answers reads of known tensors, refuses those of unknown ones. `default` is the device of tensors made without one."""

    def __init__(self, recorder, default=None):
        super().__init__()
        self.recorder = recorder
        self.default = DeviceContext(torch.device(default)) if default else None

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        reader = _READERS.get(func)
        if func is torch.Tensor.__dlpack__ and args[0].is_cuda:
            reader = None  # it stays on the device
        if reader is not None and type(args[0]) in (torch.Tensor, torch.nn.Parameter):
            return self._read(reader, func, args, kwargs)
        func = _AS_ON_A_GPU.get(func, func)
        if self.default is None:
            return func(*args, **kwargs)
        generator = kwargs.get("generator")
        if isinstance(generator, torch.Generator) and generator.device.type != self.default.device.type:
            # A host generator names the law of the draw, not its place.
            kwargs = {**kwargs, "generator": None}
        return self.default.__torch_function__(func, types, args, kwargs)

    def _read(self, reader, func, args, kwargs):
        with torch._C.DisableTorchFunction():
            known = self.recorder.revealed(args[0])
            if known is None:
                self.recorder.host_read(reader)
            self.recorder.note_reads([args[0]], self.recorder.line())
            return func(known.detach(), *args[1:], **kwargs)


@contextlib.contextmanager
def default_device(recorder, device):
    with HostMode(recorder, device):
        yield


def install(recorder):
    """Compiled programs are traced as the eager programs they stand for."""
    clocks.install()
    eager.ignore_compile(lambda: recorder.warn("torch.compile was ignored: the program was traced in eager mode"))
    # Backward in the calling thread: its steps have the program's lines, and a sandboxed child needs no threads.
    torch.autograd.set_multithreading_enabled(False)
