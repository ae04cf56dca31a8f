"""What Python keeps in a program's globals and in its module, as far as a comparison tells: numbers, lengths, and which objects."""

import functools
import types

import torch
from triton.runtime.jit import JITFunction

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
# A few thousand objects and six levels: more is a table, and its length is looked at.
_MOST_OBJECTS, _DEEPEST = 4000, 6
_CACHED = type(functools.lru_cache(len))
# What Triton keeps on a kernel itself.
_OF_TRITON = frozenset(("device_caches", "used_global_vals", "hash", "src", "_src", "_hash", "kernel"))


def python_state(module, model=None):
    """@param model: with what the module itself keeps"""
    walk = _Walk(module.__name__)
    walk.of("globals", vars(module), 0)
    if model is not None:
        walk.of("model", model, 0)
    return walk.out


class _Walk:
    """Through containers, and through functions, classes and instances of the program's own."""

    def __init__(self, program):
        self._program, self._seen, self.out = program, set(), []

    def of(self, name, value, depth):
        if isinstance(value, _PLAIN):
            self.out.append((name, value))
            return
        self.out.append((name, id(value)))
        if depth == _DEEPEST or id(value) in self._seen or len(self.out) > _MOST_OBJECTS:
            return
        inner = self._inside(value)
        if inner is None:
            return
        self._seen.add(id(value))
        for key, item in inner:
            self.of(key, item, depth + 1)

    def _inside(self, value):
        kind = type(value)
        if issubclass(kind, dict):
            return [("length", len(value)), *((k if isinstance(k, _PLAIN) else id(k), v) for k, v in _first(value.items()))]
        if issubclass(kind, (list, tuple, set, frozenset)):
            return [("length", len(value)), *((None, v) for v in _first(value))]
        if kind is types.FunctionType:
            return [*vars(value).items(), ("defaults", value.__defaults__), *(("cell", c.cell_contents) for c in value.__closure__ or () if _filled(c))]
        if kind is types.MethodType:
            return [("self", value.__self__), ("function", value.__func__)]
        if kind is _CACHED:
            return [("cached", value.cache_info().currsize), ("function", value.__wrapped__), *vars(value).items()]
        if isinstance(value, (torch.Tensor, types.ModuleType)):
            return None
        if isinstance(value, JITFunction):
            return [(k, v) for k, v in vars(value).items() if k not in _OF_TRITON and isinstance(v, _PLAIN + (list, dict, tuple))]
        if isinstance(value, type):
            return list(vars(value).items()) if value.__module__ == self._program else None
        if isinstance(value, torch.nn.Module) or kind.__module__ == self._program:
            return list(vars(value).items()) if hasattr(value, "__dict__") else None
        return None


def _first(items, most=256):
    return [item for _, item in zip(range(most), items)]


def _filled(cell):
    try:
        cell.cell_contents
    except ValueError:
        return False
    return True
