"""PyTorch's meta kernels in Python, loaded when a program first needs them: with sympy they are a third of what importing
PyTorch takes, and most programs run no operator on the meta device.

`import torch` passes their module by (`postponed`). Whatever leads to them loads them first: operators on meta tensors, as
the recorder sees them (`before`) and as the tracer uses them (library.py), FakeTensorMode, torch.ops.prims, and imports."""

import contextlib
import functools
import importlib
import importlib.machinery
import os
import sys

_MODULE = "torch._meta_registrations"
# What is imported with it, in an order that nobody else has to know, and the namespaces of operators that it defines.
_PACKAGES = ("torch._decomp", "torch._prims", "torch._refs", _MODULE)
_NAMESPACES = ("prims", "rngprims", "debugprims")
_loaded = True  # where nobody postpones them
_ask_at = None  # in a traced child: where its server hears that children need them


class _PassBy:
    """A finder that finds an empty module."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, _PassBy) if name == _MODULE else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        pass


class _LoadAll:
    """A finder that, asked for one of them, loads them all."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        ours = ".".join(name.split(".")[:2]) in _PACKAGES
        return importlib.machinery.ModuleSpec(name, _LoadAll()) if ours else None

    def create_module(self, spec):
        load()
        module = importlib.import_module(spec.name)
        self.own_spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.own_spec


@contextlib.contextmanager
def postponed():
    """Around the first import of torch."""
    global _loaded
    sys.meta_path.insert(0, _PassBy)
    try:
        yield
    finally:
        sys.meta_path.remove(_PassBy)
    import torch

    del sys.modules[_MODULE], torch._meta_registrations
    _loaded = False
    sys.meta_path.insert(0, _LoadAll)
    torch._lazy_modules.update(name.split(".")[1] for name in _PACKAGES)
    for name in _NAMESPACES:
        setattr(torch.ops, name, _namespace(name))
    mode = torch._subclasses.fake_tensor.FakeTensorMode
    mode.__init__ = _loading_first(mode.__init__)


def _namespace(name):
    import torch

    class Later(torch._ops._OpNamespace):
        def __getattr__(self, operator):
            load()
            return super().__getattr__(operator)

    return Later(name)


def _loading_first(function):
    @functools.wraps(function)
    def loading(*args, **kwargs):
        load()
        return function(*args, **kwargs)

    return loading


def before(tensors, device=None):
    """To be called before an operator runs: on these tensors, and on this device where it is named."""
    if not _loaded and (any(t.is_meta for t in tensors) or (device is not None and device.type == "meta")):
        load()


def load():
    global _loaded
    if _loaded:
        return
    _loaded = True
    sys.meta_path.remove(_LoadAll)
    if _ask_at is not None:
        with contextlib.suppress(OSError):  # programs close what they like
            os.write(_ask_at, b"m")
    import torch
    from torch.utils._python_dispatch import _disable_current_modes

    # None of this is the traced program's doing.
    with torch._C.DisableTorchFunction(), _disable_current_modes():
        importlib.import_module(_MODULE)


def load_for_children():
    """What one child has needed, others will: with what the kernels import when they first run."""
    import torch

    load()
    torch.nn.functional.conv1d(torch.empty(1, 1, 4, device="meta"), torch.empty(1, 1, 2, device="meta"))


def ask_at(descriptor=None):
    """In a child."""
    global _ask_at
    _ask_at = descriptor
