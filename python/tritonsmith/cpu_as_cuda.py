"""PyTorch's CPU passes for a CUDA device: what a program makes on "cuda" lies in host memory, and says it is on cuda:0.

Two modes do it. CpuAsCuda, a function mode, answers what a program asks of a tensor (its device, a copy to another) and takes
"cuda" out of the calls. Operators (device_memory.py), a dispatch mode, hands on which memory is the device's, and tells a watcher
what is made unwritten, written and read.
"""

import contextlib
import functools
import threading

import torch
from torch._ops import OpOverload, OpOverloadPacket
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils._device import DeviceContext, _device_constructors

from . import cuda_module
from .device_memory import CPU, Memory, Operators, Watcher, common_place, is_cuda, memory_of, on_device, place, plain, tensors_in_order

CUDA = torch.device("cuda", 0)


class CpuAsCuda(TorchFunctionMode):
    default = None  # device of tensors made without one

    def __init__(self, watcher):
        super().__init__()
        self.watcher = watcher

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        special = _SPECIAL.get(func)
        if special is not None:
            return special(self, func, *args, **kwargs)
        if isinstance(func, (OpOverload, OpOverloadPacket)):
            return func(*args, **kwargs)  # Operators sees to it
        state = None
        if func in _device_constructors() and kwargs.get("device") is None and not any(map(_names_device, args)):
            if func not in _KEEPS_DEVICE or not any(True for _ in tensors_in_order(args)):
                state = is_cuda(CpuAsCuda.default)
        given = kwargs.get("device")
        if given is not None:
            state = is_cuda(given) or isinstance(given, int)
            kwargs = {**kwargs, "device": CPU if state else given}
        if any(is_cuda(a) for a in args):
            args, state = tuple(CPU if is_cuda(a) else a for a in args), True
        if "pin_memory" in kwargs:
            kwargs, state = {**kwargs, "pin_memory": False}, None if kwargs["pin_memory"] else state
        result = func(*args, **kwargs)
        if state and func in _KEEPS_DEVICE:
            place(result, False)  # it may be an array's own memory
            return self.moved(result, True)
        place(result, state if state is not None else common_place(tensors_in_order(args)))
        if func in _UNWRITTEN:
            self.watcher.fresh(result)
        return result

    def moved(self, tensor, to_device, source=None):
        """The tensor on the other side: a copy where it still lies on this one."""
        source = tensor if source is None else source
        memory = memory_of(tensor)
        if memory is not None and memory.on_device is None and tensor is not source:
            memory.on_device = to_device
        if on_device(tensor) == to_device:
            return tensor
        if not to_device:
            self.watcher.read(tensor)
        if memory is memory_of(source):
            tensor = tensor.clone(memory_format=torch.preserve_format)
        memory_of(tensor).on_device = to_device
        return tensor


# Asked for by the program itself: what operators make inside of them they fill themselves.
_UNWRITTEN = {torch.empty, torch.empty_like, torch.empty_strided, torch.empty_permuted, torch.Tensor.new_empty, torch.Tensor.new_empty_strided}
_KEEPS_DEVICE = {torch.as_tensor, torch.asarray}


def _names_device(value):
    return isinstance(value, torch.device) or is_cuda(value)


_SPECIAL = {}  # functions that are answered in a way of their own


def _special(*functions):
    def add(handler):
        for function in functions:
            _SPECIAL[function] = handler
        return handler

    return add


@_special(torch.device, torch._C._nn._parse_to)
def _as_it_is(mode, func, *args, **kwargs):
    return func(*args, **kwargs)


@_special(torch.Tensor.device.__get__)
def _device(mode, func, tensor):
    real = func(tensor)
    return CUDA if real.type == "cpu" and on_device(tensor) else real


@_special(torch.Tensor.is_cuda.__get__)
def _is_cuda(mode, func, tensor):
    return on_device(tensor)


@_special(torch.Tensor.is_cpu.__get__)
def _is_cpu(mode, func, tensor):
    return not on_device(tensor)


@_special(torch.Tensor.get_device)
def _get_device(mode, func, tensor):
    return 0 if on_device(tensor) else -1


@_special(torch.Tensor.to)
def _to(mode, func, tensor, *args, **kwargs):
    target, rest = None, []
    for value in args:
        if isinstance(value, torch.Tensor):
            target = on_device(value)
        if isinstance(value, (str, torch.device)) or type(value) is int:
            target, value = is_cuda(value) or type(value) is int, CPU if is_cuda(value) or type(value) is int else value
        rest.append(value)
    if kwargs.get("device") is not None:
        given = kwargs["device"]
        target = is_cuda(given) or isinstance(given, int)
        kwargs = {**kwargs, "device": CPU if target else given}
    result = func(tensor, *rest, **kwargs)
    if target is None or result.device.type != "cpu":
        return result
    return mode.moved(result, target, tensor)


@_special(torch.Tensor.cuda)
def _cuda(mode, func, tensor, *args, **kwargs):
    return mode.moved(tensor, True)


@_special(torch.Tensor.cpu)
def _cpu(mode, func, tensor, *args, **kwargs):
    return mode.moved(tensor, False)


@_special(torch.Tensor.type)
def _type(mode, func, tensor, dtype=None, *args, **kwargs):
    if dtype is None:
        return func(tensor).replace("torch.", "torch.cuda.") if on_device(tensor) else func(tensor)
    if isinstance(dtype, str) and dtype.startswith("torch."):
        return mode.moved(func(tensor, dtype.replace("torch.cuda.", "torch.")), "cuda" in dtype, tensor)
    return func(tensor, dtype, *args, **kwargs)


@_special(torch.Tensor.pin_memory)
def _pin_memory(mode, func, tensor, *args, **kwargs):
    pinned = tensor.clone()
    memory_of(pinned).on_device = None  # kernels may reach it
    return pinned


@_special(torch.Tensor.record_stream)
def _record_stream(mode, func, tensor, *args, **kwargs):
    return None


@_special(torch.Tensor.numpy, torch.Tensor.__array__)
def _numpy(mode, func, tensor, *args, **kwargs):
    memory = memory_of(tensor)
    if memory is not None and memory.on_device:
        raise TypeError("can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")
    mode.watcher.exposed(tensor)
    return func(tensor, *args, **kwargs)


@_special(torch.Tensor.storage, torch.Tensor.untyped_storage, torch.Tensor.share_memory_, torch.Tensor.__dlpack__)
def _expose(mode, func, tensor, *args, **kwargs):
    mode.watcher.exposed(tensor)
    return func(tensor, *args, **kwargs)


@_special(torch.Tensor.tolist)
def _tolist(mode, func, tensor):
    mode.watcher.read(tensor)
    return func(tensor)


@_special(torch.Tensor.data_ptr)
def _data_ptr(mode, func, tensor):
    mode.watcher.addressed(tensor)
    return func(tensor)


@_special(torch.Tensor.__repr__)
def _repr(mode, func, tensor, *, tensor_contents=None):
    mode.watcher.read(tensor)
    with CpuAsCuda(Watcher()):
        return torch._tensor_str._str(tensor, tensor_contents=tensor_contents)


# --- for the whole process


@contextlib.contextmanager
def active(watcher):
    """Both modes, in this thread and, once `install` was called, in those that are started meanwhile."""
    global _watcher
    _watcher = watcher
    with Operators(watcher), CpuAsCuda(watcher):
        yield


_watcher = None


def with_function_mode(function):
    """PyTorch calls some of a program's code with the function mode set aside."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        if _watcher is None or any(isinstance(mode, CpuAsCuda) for mode in _get_current_function_mode_stack()):
            return function(*args, **kwargs)
        with CpuAsCuda(_watcher):
            return function(*args, **kwargs)

    return call


def _in_threads(run):
    def call(self):
        if _watcher is None:
            return run(self)
        with Operators(_watcher), CpuAsCuda(_watcher):
            return run(self)

    return call


def _set_default_device(device):
    CpuAsCuda.default = device


def _enter_device(self):
    """`with torch.device(…)`: PyTorch's own mode would lie below this one and undo it."""
    self.prev_mode, CpuAsCuda.default = CpuAsCuda.default, self.device


def _leave_device(self, *error):
    CpuAsCuda.default = self.prev_mode


def _set_default_tensor_type(kind):
    name = kind if isinstance(kind, str) else f"{kind.__module__}.{kind.__name__}"
    CpuAsCuda.default = "cuda" if "cuda" in name else None
    _original_default_type(name.replace("torch.cuda.", "torch."))


_original_default_type = torch.set_default_tensor_type


def _custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, **rest):
    """torch.library.custom_op for every device."""
    if fn is None:
        return lambda fn: _custom_op(name, fn, mutates_args=mutates_args, schema=schema, **rest)
    return _original_custom_op(name, with_function_mode(fn), mutates_args=mutates_args, schema=schema, **rest)


def _triton_op(name, fn=None, /, **rest):
    if fn is None:
        return lambda fn: _triton_op(name, fn, **rest)
    return _original_triton_op(name, with_function_mode(fn), **rest)


_original_custom_op, _original_triton_op = torch.library.custom_op, torch.library.triton_op


def _saved_place(storage):
    """What torch.save notes of a storage."""
    memory = storage.__dict__.get("tritonsmith")
    return "cuda:0" if memory is not None and memory.on_device else None


def _loaded_place(storage, location):
    """torch.load's storage, where it was saved or is wanted."""
    if location != "cpu" and not is_cuda(location):
        return None
    storage.__dict__["tritonsmith"] = Memory(is_cuda(location))
    return storage


def _on_host(function):
    """Functions that make a tensor of the host's memory and ask no mode."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        tensor = function(*args, **kwargs)
        with plain():
            place(tensor, False)
        return tensor

    return call


def install():
    """For the rest of the process."""
    torch.from_numpy, torch.frombuffer = _on_host(torch.from_numpy), _on_host(torch.frombuffer)
    torch.serialization.register_package(0, _saved_place, _loaded_place)
    cuda_module.install(CUDA)
    DeviceContext.__enter__, DeviceContext.__exit__ = _enter_device, _leave_device
    torch.set_default_device = _set_default_device
    torch.get_default_device = lambda: torch.device(CpuAsCuda.default or "cpu")
    torch.set_default_tensor_type = _set_default_tensor_type
    torch.library.custom_op, torch.library.triton_op = _custom_op, _triton_op
    torch.library.wrap_triton = lambda kernel: kernel
    threading.Thread.run = _in_threads(threading.Thread.run)
    # Backward runs in the calling thread, where the modes are active; Tensor.backward sets the function mode aside.
    torch.autograd.set_multithreading_enabled(False)
    torch.autograd._engine_run_backward = with_function_mode(torch.autograd._engine_run_backward)
    # Inductor's own name, which asks no operator.
    guards = torch._C._dynamo.guards
    guards._empty_strided_cuda = lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device="cuda")
