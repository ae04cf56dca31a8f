"""PyTorch's CPU passes for a CUDA device: what a program makes on "cuda" lies in host memory, and says it is on cuda:0.

Two modes do it. CpuAsCuda, a function mode, answers what a program asks of a tensor (its device, a copy to another) and takes
"cuda" out of the calls. Operators, a dispatch mode, sees each ATen operator, those of the backward pass too: it hands on which
memory is the device's, and tells a watcher what is made unwritten, written and read.
"""

import contextlib
import functools
import threading

import torch
from torch._ops import OpOverload, OpOverloadPacket
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils._device import DeviceContext, _device_constructors
from torch.utils._python_dispatch import TorchDispatchMode

from . import cuda_module

_plain = torch._C.DisableTorchFunction  # what is asked of a tensor inside is answered as it is
CUDA = torch.device("cuda", 0)
_CPU = torch.device("cpu")


class Memory:
    """What is known of one storage. It lies in the storage's own dictionary and dies with it."""

    __slots__ = ("on_device", "watched")

    def __init__(self, on_device=None):
        self.on_device = on_device  # None: nobody has said; it passes for the device's
        self.watched = None  # the watcher's own


def memory_of(tensor):
    """The tensor's Memory, made where there is none; None for a tensor without a storage (sparse ...)."""
    try:
        known = tensor.untyped_storage().__dict__
    except (NotImplementedError, RuntimeError):
        return None
    memory = known.get("tritonsmith")
    if memory is None:
        memory = known["tritonsmith"] = Memory()
    return memory


class Watcher:
    """What becomes of memory. Here: memory that nothing has written is zero, so that runs repeat."""

    def fresh(self, tensor):
        """The program made `tensor` and nothing has written it."""
        tensor.untyped_storage().fill_(0)

    def wrote(self, tensor):
        """The host wrote the elements of `tensor`."""

    def read(self, tensor):
        """The host reads the elements of `tensor`."""

    def exposed(self, tensor):
        """The host may write the memory of `tensor` from now on without being seen."""

    def addressed(self, tensor):
        """The host was told where `tensor` lies."""


def is_cuda(value):
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and value.split(":")[0] == "cuda"


def _tensors(values):
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, torch.Tensor):
                    yield item


def _common(tensors):
    """Where the result of an operator on these lies. None: not known, also where there are none."""
    state = None
    for tensor in tensors:
        memory = memory_of(tensor)
        if memory is not None and memory.on_device:
            return True
        if memory is not None and memory.on_device is False:
            state = False
    return state


def _place(result, state):
    """Results in new memory lie where `state` says; others stay where they are."""
    for tensor in _tensors(result if isinstance(result, (list, tuple)) else (result,)):
        memory = memory_of(tensor)
        if memory is not None and memory.on_device is None:
            memory.on_device = state


def on_device(tensor):
    memory = memory_of(tensor)
    return memory is None or memory.on_device is not False


# --- operators


class _Law:
    """What an operator does with its arguments, by its schema."""

    LOOKS_AT_NO_VALUE = {"aten::_unsafe_view", "aten::record_stream", "aten::is_same_size", "aten::empty_like", "aten::new_empty",
                         "aten::new_empty_strided", "aten::zeros_like", "aten::ones_like", "aten::full_like", "aten::rand_like",
                         "aten::randn_like", "aten::new_zeros", "aten::new_ones", "aten::new_full",
                         # Copies: what comes of them counts as written.
                         "aten::clone", "aten::copy_", "aten::_to_copy", "aten::contiguous", "aten::cat"}

    def __init__(self, func):
        schema = func._schema
        self.written = [(i, a.name) for i, a in enumerate(schema.arguments) if a.alias_info is not None and a.alias_info.is_write]
        self.view = not self.written and any(r.alias_info is not None for r in schema.returns)
        self.reads = schema.name not in self.LOOKS_AT_NO_VALUE


class Operators(TorchDispatchMode):
    def __init__(self, watcher):
        super().__init__()
        self.watcher, self._laws = watcher, {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        law = self._laws.get(func)
        if law is None:
            law = self._laws[func] = _Law(func)
        if law.view:
            return func(*args, **kwargs)
        with _plain():
            kwargs, state, outputs = self._before(law, args, kwargs)
        result = func(*args, **kwargs)
        with _plain():
            for tensor in outputs:
                self.watcher.wrote(tensor)
            _place(result, state)
        return result

    def _before(self, law, args, kwargs):
        state = None
        if is_cuda(kwargs.get("device")):
            kwargs, state = {**kwargs, "device": _CPU}, True
        if kwargs.get("pin_memory"):
            kwargs = {**kwargs, "pin_memory": False}
        tensors = list(_tensors((*args, *kwargs.values())))
        outputs = [t for i, name in law.written for t in _tensors((args[i] if i < len(args) else kwargs.get(name),))]
        if law.reads:
            for tensor in tensors:
                if not any(tensor is o for o in outputs):
                    self.watcher.read(tensor)
        return kwargs, state or _common(tensors), outputs


# --- functions


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
            if func not in _KEEPS_DEVICE or not any(True for _ in _tensors(args)):
                state = is_cuda(CpuAsCuda.default)
        given = kwargs.get("device")
        if given is not None:
            state = is_cuda(given) or isinstance(given, int)
            kwargs = {**kwargs, "device": _CPU if state else given}
        if any(is_cuda(a) for a in args):
            args, state = tuple(_CPU if is_cuda(a) else a for a in args), True
        if "pin_memory" in kwargs:
            kwargs, state = {**kwargs, "pin_memory": False}, None if kwargs["pin_memory"] else state
        result = func(*args, **kwargs)
        if state and func in (torch.as_tensor, torch.asarray):
            return self.moved(result, True)
        _place(result, state if state is not None else _common(_tensors(args)))
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


@_special(torch.device)
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
            target, value = is_cuda(value) or type(value) is int, _CPU if is_cuda(value) or type(value) is int else value
        rest.append(value)
    if kwargs.get("device") is not None:
        given = kwargs["device"]
        target = is_cuda(given) or isinstance(given, int)
        kwargs = {**kwargs, "device": _CPU if target else given}
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


def _with_function_mode(function):
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
    return _original_custom_op(name, _with_function_mode(fn), mutates_args=mutates_args, schema=schema, **rest)


_original_custom_op = torch.library.custom_op


def install():
    """For the rest of the process."""
    cuda_module.install(CUDA)
    DeviceContext.__enter__, DeviceContext.__exit__ = _enter_device, _leave_device
    torch.set_default_device = _set_default_device
    torch.get_default_device = lambda: torch.device(CpuAsCuda.default or "cpu")
    torch.set_default_tensor_type = _set_default_tensor_type
    torch.library.custom_op = _custom_op
    torch.library.wrap_triton = lambda kernel: kernel
    threading.Thread.run = _in_threads(threading.Thread.run)
    # Backward runs in the calling thread, where the modes are active; Tensor.backward sets the function mode aside.
    torch.autograd.set_multithreading_enabled(False)
    torch.autograd._engine_run_backward = _with_function_mode(torch.autograd._engine_run_backward)
    # Inductor's own name, which asks no operator.
    guards = torch._C._dynamo.guards
    guards._empty_strided_cuda = lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device="cuda")
