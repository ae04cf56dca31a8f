"""Which memory is the device's where host memory passes for it, and what becomes of it: followed through every ATen operator, those of
the backward pass too."""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

CPU = torch.device("cpu")
plain = torch._C.DisableTorchFunction  # what is asked of a tensor inside is answered as it is


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
        """The host has asked where `tensor` lies."""


def is_cuda(value):
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and value.split(":")[0] == "cuda"


def tensors_in_order(values):
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, torch.Tensor):
                    yield item


def common_place(tensors):
    """Where the result of an operator on these lies. None: not known, also where there are none."""
    state = None
    for tensor in tensors:
        memory = memory_of(tensor)
        if memory is not None and memory.on_device:
            return True
        if memory is not None and memory.on_device is False:
            state = False
    return state


def place(result, state):
    """Results in new memory lie where `state` says; others stay where they are."""
    for tensor in tensors_in_order(result if isinstance(result, (list, tuple)) else (result,)):
        memory = memory_of(tensor)
        if memory is not None and memory.on_device is None:
            memory.on_device = state


def on_device(tensor):
    memory = memory_of(tensor)
    return memory is None or memory.on_device is not False


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
        with plain():
            kwargs, state, outputs = self._before(law, args, kwargs)
        result = func(*args, **kwargs)
        with plain():
            for tensor in outputs:
                self.watcher.wrote(tensor)
            place(result, state)
        return result

    def _before(self, law, args, kwargs):
        state = None
        if is_cuda(kwargs.get("device")):
            kwargs, state = {**kwargs, "device": CPU}, True
        if kwargs.get("pin_memory"):
            kwargs = {**kwargs, "pin_memory": False}
        tensors = list(tensors_in_order((*args, *kwargs.values())))
        outputs = [t for i, name in law.written for t in tensors_in_order((args[i] if i < len(args) else kwargs.get(name),))]
        if law.reads:
            for tensor in tensors:
                if not any(tensor is o for o in outputs):
                    self.watcher.read(tensor)
        return kwargs, state or common_place(tensors), outputs
