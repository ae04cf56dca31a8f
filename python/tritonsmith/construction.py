"""Building a module with given weights: each linked weight gets its value as soon as it is initialised, so that what the
constructor derives from it is derived from that value.

The constructor runs twice. The first time shows which operators write the storages that the state's tensors end up in;
the second time the values are copied in after these operators. They are distinguished by their number and name, which are
the same both times for a constructor that does the same both times.
"""

import gc
import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .operators import operator
from .values import tensors_in


class Storages:
    """A number for each storage, given when it is first met; a number dies with its storage."""

    def __init__(self):
        self._numbers, self._references = {}, {}
        self._next = 0

    def number(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = self._next
            self._next += 1
            self._references[found] = weakref.ref(storage, lambda _: self._numbers.pop(key, None))
        return found

    def alive(self, number):
        return self._references[number]() is not None


def _plain(tensor):
    return isinstance(tensor, torch.Tensor) and tensor.layout == torch.strided


class _Watch(TorchDispatchMode):
    """Numbers the operators, and knows which storages each one reads and writes."""

    def __init__(self):
        super().__init__()
        self.storages, self.count = Storages(), 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        op = operator(func)
        read = {self.storages.number(t) for t in tensors_in((args, kwargs)) if _plain(t)}
        draws = op.draws_now(args, kwargs)
        out = func(*args, **kwargs)
        written = {self.storages.number(t): t for t in op.written_tensors(args, kwargs) if _plain(t)}
        for tensor in tensors_in((out,)):
            if _plain(tensor) and self.storages.number(tensor) not in read:
                written.setdefault(self.storages.number(tensor), tensor)
        self.ran(self.count, op.name, read, written, draws)
        self.count += 1
        return out

    def ran(self, number, name, read, written, draws):
        """@param read: storages  @param written: {storage: a tensor in it}, always in the same order"""
        raise NotImplementedError


class _Look(_Watch):
    """The first time: who writes which storage."""

    def __init__(self):
        super().__init__()
        self.names, self.writers = [], {}

    def ran(self, number, name, read, written, draws):
        self.names.append(name)
        for position, storage in enumerate(written):
            self.writers.setdefault(storage, []).append((number, position))


class _Fill(_Watch):
    """The second time: puts the values in, and follows which storages hold random numbers of their own.
    @param after: {(operator's number, position among what it writes): [function of a tensor in that storage]}"""

    def __init__(self, names, after):
        super().__init__()
        self.names, self.after = names, after
        self.differs = False
        self._random = {}  # storage → numbers of the draws in it

    def ran(self, number, name, read, written, draws):
        if number >= len(self.names) or self.names[number] != name:
            self.differs = True
        flows = set().union(*(self._random.get(n, ()) for n in read)) | ({number} if draws else set())
        for position, (storage, tensor) in enumerate(written.items()):
            fills = [] if self.differs else self.after.get((number, position), ())
            for fill in fills:
                fill(tensor)
            if flows and not fills:
                self._random[storage] = flows
            else:
                self._random.pop(storage, None)

    def draws_left(self):
        """How many draws lie in memory that is still held, and were not replaced by a linked value."""
        gc.collect()
        return len(set().union(*(draws for storage, draws in self._random.items() if self.storages.alive(storage))))


class WeightsDiffer(Exception):
    """A linked weight is not there, or of another size."""


def state(model):
    """Parameters and buffers by their qualified names, tied ones under each name."""
    return {**dict(model.named_parameters(remove_duplicate=False)), **dict(model.named_buffers(remove_duplicate=False))}


def fill(tensor, value):
    """Copies row-major values into a tensor, cast to its dtype. Expanded dimensions (stride 0) hold one element."""
    if value.numel() != tensor.numel():
        raise WeightsDiffer(f"a weight of shape {list(tensor.shape)} has a value of shape {list(value.shape)}")
    with torch.no_grad(), torch._C.DisableTorchFunction():
        value = value.reshape(tensor.shape)
        for dimension, (size, stride) in enumerate(zip(tensor.shape, tensor.stride())):
            if stride == 0 and size > 1:
                tensor, value = tensor.narrow(dimension, 0, 1), value.narrow(dimension, 0, 1)
        tensor.copy_(value)


def _place(tensor):
    """Where in its storage a tensor lies: what makes it again of any tensor in the same storage."""
    return tensor.dtype, tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset()


def _filler(place, value):
    dtype, shape, stride, offset = place

    def into(written):
        with torch._C.DisableTorchFunction():
            weight = torch.empty(0, dtype=dtype, device=written.device).set_(written.untyped_storage(), offset, shape, stride)
        fill(weight, value)

    return into


def build(make, values, seed):
    """@param make: makes the module, on its device  @param values: {name in the state: tensor}
    @returns (module, {"unlinked_draws": n, "derived": bool}). derived: the second construction was another one, and the
    values were put in at the end, so that weights made from others may be wrong.  @raises WeightsDiffer"""
    look = _Look()
    torch.manual_seed(seed)
    with look:
        model = make()
    if not isinstance(model, torch.nn.Module):
        if values:
            raise WeightsDiffer("the constructor does not return a torch.nn.Module, so there are no weights")
        return model, {"unlinked_draws": 0, "derived": False}
    tensors, after, at_end = state(model), {}, []
    for name, value in values.items():
        if name not in tensors:
            raise WeightsDiffer(f"the module has no weight '{name}'")
        if tensors[name].numel() != value.numel():
            raise WeightsDiffer(f"weight '{name}' has shape {list(tensors[name].shape)}, its value has {list(value.shape)}")
        writers = look.writers.get(look.storages.number(tensors[name]), [])
        for write in writers:
            after.setdefault(write, []).append(_filler(_place(tensors[name]), value))
        if not writers:
            at_end.append(name)
    del model, tensors
    gc.collect()  # or the device holds two
    again = _Fill(look.names, after)
    torch.manual_seed(seed)
    with again:
        model = make()
    differs = again.differs or again.count != len(look.names)
    tensors = state(model)
    for name in values if differs else at_end:
        if name not in tensors:
            raise WeightsDiffer(f"the module has no weight '{name}' when it is built again")
        fill(tensors[name], values[name])
    return model, {"unlinked_draws": again.draws_left(), "derived": differs}
