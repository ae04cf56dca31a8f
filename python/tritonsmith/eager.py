"""Programs run as they are written: nothing is compiled but Triton's kernels."""

import gc
import types

import torch
import torch.library
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction


def keep_dynamo_out():
    """Many of PyTorch's own functions import torch._dynamo, for seconds, when they are first called, in order to be left
    alone by it. Here nothing compiles them: they are told that they already are."""
    marked = torch._disable_dynamo(keep_dynamo_out).__code__
    for function in gc.get_referrers(marked):
        if type(function) is types.FunctionType:
            inner = function.__closure__[marked.co_freevars.index("fn")].cell_contents
            inner.__dynamo_disable = inner
    torch._disable_dynamo = torch._compile._disable_dynamo = lambda fn=None, recursive=True: fn if fn is not None else lambda f: f


def launch_wrapped_kernels():
    """torch.library.wrap_triton returns the kernel, as it does inside of a triton_op; nobody looks for kernels in the
    text of such an operator, which imports the compiler."""

    def wrap_triton(triton_kernel, /):
        if not isinstance(triton_kernel, (JITFunction, Autotuner)):
            raise RuntimeError("wrap_triton only works on functions annotated with triton.jit or triton.autotune")
        return triton_kernel

    for module in (torch.library, torch._library, torch._library.triton):
        for name in ("wrap_triton", "capture_triton"):
            if hasattr(module, name):
                setattr(module, name, wrap_triton)
    torch._library.triton.get_inner_triton_kernels = lambda fn: []


def ignore_compile(said):
    """torch.compile returns what it was given. @param said: called each time."""

    def compile(model=None, **kwargs):
        said()
        return model if model is not None else lambda made: made

    torch.compile = compile
    torch.nn.Module.compile = lambda self, *args, **kwargs: compile(self) and None
