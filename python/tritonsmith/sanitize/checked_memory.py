"""Which bytes of the script's memory have been written, and where the interpreter finds it."""

import contextlib
import ctypes
import weakref

import torch

from tritonsmith.buffers import covers_storage
from tritonsmith.device_memory import Memory, Watcher, memory_of, on_device


@contextlib.contextmanager
def _plain():
    with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
        yield


class Watched:
    """One storage as the interpreter sees it. `unwritten`: some bytes of it may be. Lies in the storage's Memory."""

    def __init__(self, interpreter, unwritten=False, made=("", 0)):
        self._interpreter = interpreter
        self.unwritten, self.made = unwritten, made
        self._handle, self._place, self._shadow = None, None, None

    def __del__(self):
        self._drop()

    def _drop(self):
        if self._handle is not None:
            self._shadow = None
            self._interpreter.forget(self._handle)
            self._handle = None

    def handle(self, storage):
        place = storage.data_ptr(), storage.nbytes()
        if self._handle is not None and self._place != place:  # the storage was resized
            self._drop()
            self.unwritten = False
        if self._handle is None:
            self._handle, self._place = self._interpreter.memory(*place, self.unwritten), place
            if self.unwritten:
                written = (ctypes.c_uint8 * place[1]).from_address(self._interpreter.written(self._handle))
                self._shadow = torch.frombuffer(written, dtype=torch.uint8)
        return self._handle

    def shadow(self, tensor):
        """The bytes of the shadow behind the tensor's elements: [*shape, bytes of an element]."""
        self.handle(tensor.untyped_storage())
        size = tensor.element_size()
        return self._shadow.as_strided((*tensor.shape, size), (*(size * s for s in tensor.stride()), 1), size * tensor.storage_offset())

    def all_written(self):
        self.unwritten = False
        if self._shadow is not None:
            self._shadow.fill_(1)

    def snapshot(self):
        """A function that takes what has been written since back. Of memory that has a handle and is unwritten."""
        before, shadow = self._shadow.clone(), self._shadow

        def take_back():
            if self._shadow is shadow:
                self.unwritten = True
                shadow.copy_(before)

        return take_back


class CheckedMemory(Watcher):
    """@param said: (message, tensor's Watched) of memory that the host reads and nothing has written
    @param site: () → (file, line) of the script"""

    def __init__(self, interpreter, site, said):
        self._interpreter, self._site, self._said = interpreter, site, said
        self._addressed = {}

    def watched(self, tensor):
        memory = memory_of(tensor)
        if memory is not None and memory.watched is None:
            memory.watched = Watched(self._interpreter)
        return memory and memory.watched

    def of_storage(self, storage):
        memory = storage.__dict__.get("tritonsmith")
        if memory is None:
            memory = storage.__dict__["tritonsmith"] = Memory()
        if memory.watched is None:
            memory.watched = Watched(self._interpreter)
        return memory.watched

    def addressed_storages(self):
        alive = {key: storage for key, reference in self._addressed.items() if (storage := reference()) is not None}
        self._addressed = {key: self._addressed[key] for key in alive}
        return list(alive.values())

    # What the modes of cpu_as_cuda tell.

    def fresh(self, tensor):
        memory = memory_of(tensor)
        if memory is None or tensor.numel() == 0:
            return
        with _plain():
            # Loud: not-a-numbers, and large negative integers.
            tensor.untyped_storage().fill_(0xFF if tensor.is_floating_point() or tensor.is_complex() else 0 if tensor.dtype == torch.bool else 0xA5)
        memory.watched = Watched(self._interpreter, True, self._site())

    def _unwritten(self, tensor):
        memory = memory_of(tensor)
        return memory.watched if memory is not None and memory.watched is not None and memory.watched.unwritten else None

    def wrote(self, tensor):
        watched = self._unwritten(tensor)
        if watched is None or tensor.numel() == 0:
            return
        with _plain():
            if covers_storage(tensor):
                watched.all_written()
            else:
                watched.shadow(tensor).fill_(1)

    def read(self, tensor):
        with _plain():
            watched = self._unwritten(tensor)
            if watched is None or tensor.numel() == 0 or not on_device(tensor):
                return
            missing = (watched.shadow(tensor) == 0).any(-1)
            count = int(missing.sum())
            if count == 0:
                if covers_storage(tensor):
                    watched.unwritten = False
                return
            first = tuple(missing.nonzero()[0].tolist())
        element = f"element {list(first)}" if first else "the element"
        self._said(f"host code reads {describe(tensor)}: {count} of {tensor.numel()} elements were never written, the first is {element}", watched)

    def exposed(self, tensor):
        watched = self._unwritten(tensor)
        if watched is not None:
            with _plain():
                watched.all_written()

    def exposed_storage(self, storage):
        watched = self.of_storage(storage)
        if watched.unwritten:
            with _plain():
                watched.all_written()

    def addressed(self, tensor):
        with _plain():
            storage = tensor.untyped_storage()
        self._addressed[storage._cdata] = weakref.ref(storage)


def describe(tensor):
    """Its element type and shape, as in "float32 [4, 8]"."""
    with torch._C.DisableTorchFunction():
        repeated = tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes()
        return f"{str(tensor.dtype).removeprefix('torch.')} {list(tensor.shape)}" + (" expanded" if repeated else "")
