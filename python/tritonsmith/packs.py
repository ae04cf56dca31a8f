"""Packs: named tensors, contiguous, in one memory file (docs/protocols.md, Worker)."""

import math
import mmap

import torch

from .values import DTYPE_OF, dtype_name

ALIGNMENT = 64


class Full(Exception):
    """The tensors need more bytes than the memory file has."""


class Pack:
    """Tensors over a memory file's own bytes; what is written to them is seen by this process alone.
    @param index: [{"name", "dtype", "shape", "offset"}]"""

    def __init__(self, fd, size, index):
        self._entries = {entry["name"]: entry for entry in index}
        self._bytes = mmap.mmap(fd, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE) if size else b""

    def __contains__(self, name):
        return name in self._entries

    def tensor(self, name):
        """On the host, contiguous. @raises KeyError"""
        entry = self._entries[name]
        dtype, shape = DTYPE_OF[entry["dtype"]], entry["shape"]
        count = math.prod(shape)
        if count == 0:
            return torch.empty(shape, dtype=dtype)
        return torch.frombuffer(self._bytes, dtype=dtype, count=count, offset=entry["offset"]).view(shape)


def write(fd, size, tensors):
    """Copies the tensors, from wherever they lie, into the memory file of `size` bytes. @param tensors: [(name, tensor)]
    @returns the index  @raises Full"""
    index, end = [], 0
    for name, tensor in tensors:
        offset = (end + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        end = offset + tensor.numel() * tensor.element_size()
        index.append({"name": name, "dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape), "offset": offset})
    if end > size:
        raise Full(f"the outputs need {end} bytes, the task's have {size}")
    if end:
        with mmap.mmap(fd, size) as bytes_, torch._C.DisableTorchFunction():
            for entry, (_, tensor) in zip(index, tensors):
                if tensor.numel():
                    place = torch.frombuffer(bytes_, dtype=tensor.dtype, count=tensor.numel(), offset=entry["offset"])
                    place.view(tensor.shape).copy_(tensor)
                    del place  # the map cannot be closed while a tensor lies in it
    return index
