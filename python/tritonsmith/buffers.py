"""Which storage is which buffer of the plan, what is known of its values, and when it dies."""

import base64
import bisect
import ctypes
import weakref

import torch

from .errors import Unsupported
from .values import dtype_name

# What enters a plan as bytes, and what is evaluated beside the device, is at most this large.
KNOWN_BYTES = 1 << 20


def storage_bytes(storage):
    """The content of a storage in host memory."""
    size = storage.nbytes()
    return ctypes.string_at(storage.data_ptr(), size) if size else b""


class Buffers:
    """Identity is the storage's, not the tensor's; a storage's death is noticed by a weak reference to it.

    On the device that computes nothing `values` holds, for each buffer whose content is known, a host storage with that
    content. Where the trace really executes (device "cpu"), the storage itself has the values and `values` says only
    that they do not depend on draws or inputs.
    """

    def __init__(self, device, on_adopted, on_death):
        self.device = device
        self.entries = []
        self.values = {}
        # Buffers whose known content came from inputs: the numbers of those inputs' buffers.
        self.origins = {}
        # Buffers whose content is what draws would give that host code has not asked for (drawn.py): the numbers of these.
        self.draws = {}
        self._ids = {}
        self._references = {}
        self._hosts = {}
        self._on_adopted, self._on_death = on_adopted, on_death
        self._addresses, self._at = [], []
        self._kept = []

    # --- identity

    def known_as(self, storage):
        return self._ids.get(storage._cdata)

    def add(self, storage, kind, line, data=None):
        key = storage._cdata
        number = len(self.entries)
        address = storage.data_ptr() if storage.device.type == "cuda" else 0
        entry = {"id": number, "kind": kind, "bytes": storage.nbytes(), "address": address, "line": line}
        if data is not None:
            entry["data"] = base64.b64encode(data).decode()
        self.entries.append(entry)
        self._ids[key] = number
        self._references[number] = weakref.ref(storage, lambda _, key=key, number=number: self._died(key, number))
        if address:
            # Addresses only grow, so that appending keeps the list sorted.
            self._addresses.append(address)
            self._at.append(number)
        return number

    def rename(self, storage, kind):
        """From here on the storage is another buffer, without an address, of which nothing is known."""
        number = len(self.entries)
        self.entries.append({"id": number, "kind": kind, "bytes": storage.nbytes(), "address": 0, "line": 0})
        self._ids[storage._cdata] = number
        self._references[number] = weakref.ref(storage)
        self._on_adopted(number, storage.nbytes(), 0)

    def take_back(self, storage, number):
        self._ids[storage._cdata] = number

    def _died(self, key, number):
        if self._ids.get(key) == number:
            del self._ids[key]
        self.values.pop(number, None)
        self.origins.pop(number, None)
        self.draws.pop(number, None)
        self._references.pop(number, None)
        self._hosts.pop(key, None)
        self._on_death(number)

    def id_of(self, tensor, line):
        """The tensor's buffer; one that no recorded operator made is taken in as it is."""
        storage = tensor.untyped_storage()
        number = self._ids.get(storage._cdata)
        if number is not None:
            if self.entries[number]["bytes"] != storage.nbytes() and self.entries[number]["kind"] != "input":
                raise Unsupported("a tensor's storage was resized", line, "plan_invalid")
            return number
        if tensor.device.type == "cuda":
            number = self.add(storage, "allocation", line)
            self._on_adopted(number, storage.nbytes(), line)
            return number
        if tensor.device.type != "cpu":
            raise Unsupported(f"a plan has no tensors on device {tensor.device}", line)
        return self._constant(storage, line)

    def _constant(self, storage, line):
        if storage.nbytes() > KNOWN_BYTES:
            raise Unsupported(f"a tensor of {storage.nbytes()} bytes enters the program from the host; at most {KNOWN_BYTES} are recorded", line)
        data = storage_bytes(storage)
        if self.device == "cpu":
            number = self.add(storage, "constant", line, data)
            self.values[number] = storage
            return number
        # On the fake GPU the host's own tensors stay the host's: what enters is a copy of their content at that moment.
        key = storage._cdata
        held = self._hosts.get(key)
        if held is not None and held[1] == data:
            return held[0]
        number = self.add(storage, "constant", line, data)
        del self._ids[key]
        self.values[number] = _copy_of(storage)
        self._hosts[key] = (number, data)
        return number

    def keep_constant(self, tensor, line):
        """The host tensor is about to be written by a recorded step: from now on it is that buffer."""
        storage = tensor.untyped_storage()
        if self.known_as(storage) is None:
            number = self.id_of(tensor, line)
            self._ids[storage._cdata] = number

    def describe(self, tensor, line):
        """TENSOR of docs/plan.md."""
        if tensor.is_nested:
            raise Unsupported("a plan has no nested tensors", line)
        if tensor.layout is not torch.strided or tensor.is_quantized:
            raise Unsupported(f"a plan has no tensors of layout {tensor.layout}", line)
        if tensor.is_conj() or tensor.is_neg():
            raise Unsupported("a plan has no views with a conjugate or negative bit", line)
        return {"buffer": self.id_of(tensor, line), "dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape),
                "stride": list(tensor.stride()), "offset": tensor.storage_offset()}

    def at_address(self, address):
        """(buffer, offset in bytes) of a device address, or None. A dead buffer's addresses are nobody's."""
        position = bisect.bisect_right(self._addresses, address) - 1
        if position < 0:
            return None
        number = self._at[position]
        offset = address - self._addresses[position]
        if offset > self.entries[number]["bytes"] or number not in self._references:
            return None
        return number, offset

    # --- known values

    def is_host(self, tensor):
        """A tensor in host memory that no step made: its values are there to be read."""
        return tensor.device.type == "cpu" and self.known_as(tensor.untyped_storage()) is None

    def known(self, tensor):
        """A host tensor with this tensor's values, or None. Writing to it writes to what is known."""
        return None if self.draws_of(tensor) else self.supposed(tensor)

    def supposed(self, tensor):
        """As `known`, where draws that nobody has asked for are given their values."""
        if self.is_host(tensor):
            return tensor
        storage = tensor.untyped_storage()
        number = self.known_as(storage)
        held = self.values.get(number)
        if held is None:
            return None
        if held is storage or self.device == "cpu":
            return tensor
        return view_of(held, tensor)

    def learn(self, tensor, values):
        """@param values: host tensor of the same shape and dtype as `tensor`, whose buffer nothing else shares yet."""
        number = self.known_as(tensor.untyped_storage())
        if self.device == "cpu":
            self.values[number] = True
            return
        held = values.untyped_storage()
        fits = held.nbytes() == tensor.untyped_storage().nbytes() and values.stride() == tensor.stride() \
            and values.storage_offset() == tensor.storage_offset()
        if not fits:
            held = torch.UntypedStorage(tensor.untyped_storage().nbytes())
            view_of(held, tensor).copy_(values)
        self.values[number] = held

    def inherit(self, tensors, sources):
        """Who reads `tensors` from now on reads the inputs and draws behind `sources`."""
        if self.draws:
            drawn = frozenset().union(*(self.draws_of(t) for t in sources))
            for tensor in tensors if drawn else ():
                number = self.known_as(tensor.untyped_storage())
                if number is not None:
                    self.draws[number] = self.draws.get(number, frozenset()) | drawn
        if self.origins:
            found = set().union(*(self.origins_of(t) for t in sources))
            for tensor in tensors if found else ():
                number = self.known_as(tensor.untyped_storage())
                if number is not None:
                    self.origins[number] = self.origins.get(number, frozenset()) | found

    def origins_of(self, tensor):
        return self.origins.get(self.known_as(tensor.untyped_storage()), frozenset())

    def draws_of(self, tensor):
        return self.draws.get(self.known_as(tensor.untyped_storage()), frozenset())

    def forget(self, tensor):
        number = self.known_as(tensor.untyped_storage())
        self.values.pop(number, None)
        self.draws.pop(number, None)

    def constant(self, values, line):
        """TENSOR of a constant with these values. @param values: host tensor, which the recorder keeps"""
        storage = values.untyped_storage()
        number = self.add(storage, "constant", line, storage_bytes(storage))
        self._kept.append(storage)
        return {"buffer": number, "dtype": dtype_name(values.dtype), "shape": list(values.shape),
                "stride": list(values.stride()), "offset": values.storage_offset()}


def _copy_of(storage):
    copy = torch.UntypedStorage(storage.nbytes())
    copy.copy_(storage)
    return copy


def view_of(storage, like):
    """The host storage seen as the tensor `like` sees its own."""
    with torch.no_grad():
        return torch.empty(0, dtype=like.dtype, device="cpu").set_(storage, like.storage_offset(), like.size(), like.stride())


def covers_storage(tensor):
    """Whether the tensor names every byte of its storage once."""
    if tensor.numel() * tensor.element_size() != tensor.untyped_storage().nbytes():
        return False
    expected = 1
    for stride, size in sorted(zip(tensor.stride(), tensor.shape)):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True
