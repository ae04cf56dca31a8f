"""Whether what launches a kernel is still Triton's, and what records it still the tracer's. A file that patches the launcher which
only a device has leaves no trace in its plan; that it patched something is a cheap tell, and no proof of the contrary."""

import functools
import operator
import os
import sys
import types

from triton import knobs
from triton.runtime import driver

from ..errors import TraceError

# What launches, compiles and tunes, or records it. The front end is not among them: what it makes is what is judged.
_MODULES = {"triton.runtime.jit", "triton.runtime.autotuner", "triton.runtime.driver", "triton.runtime.cache", "triton.runtime.build",
            "triton.compiler.compiler", "triton.backends", "triton.backends.driver", "triton.backends.compiler",
            "triton.backends.nvidia.driver", "triton.backends.nvidia.compiler"}
_OWN = "tritonsmith."
_NOT_WHILE_TRACING = {"tritonsmith." + name for name in
                      ("trace.warm", "services.forkserver", "services.tracer", "pages", "sandbox", "sizes", "construction")}
# Settings that put something else in the place of what a kernel's text says.
_SETTINGS = ((knobs.build, ("impl",)), (knobs.cache, ("override_dir", "manager_class")),
             (knobs.compilation, ("override", "use_ir_loc", "instrumentation_mode")),
             (knobs.runtime, ("interpret", "override_arch", "jit_cache_hook", "jit_post_compile_hook", "add_stages_inspection_hook")),
             (knobs.nvidia, ("ptxas", "ptxas_blackwell", "disable_ptxas_opt", "ptxas_options", "mock_ptx_version", "libdevice_path",
                             "libcuda_path")))
_HOOKS = ("launch_enter_hook", "launch_exit_hook", "kernel_load_start_hook", "kernel_load_end_hook")

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, staticmethod, classmethod, property, type(functools.lru_cache(len)))


class Tampered(TraceError):
    reason = "trace_tampered"


_PARTS = operator.attrgetter("__code__", "__defaults__", "__kwdefaults__")


def _function_parts(function):
    cells = function.__closure__ or ()
    return *_PARTS(function), *(c.cell_contents for c in cells if _filled(c))


def _filled(cell):
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


class Snapshot:
    """Of everything at one moment: (who, attribute, what it was); a function also by its code and defaults."""

    def __init__(self):
        self._modules, self._attributes, self._functions, self._classes = {}, [], [], []
        for name, module in sorted(sys.modules.items()):
            if name in _MODULES or (name.startswith(_OWN) and name not in _NOT_WHILE_TRACING):
                self._modules[name] = module
                self._take_module(module)
        self._driver = driver.active, type(driver.active), dict(vars(driver.active))
        self._settings = self._current_settings()
        self._cells = [c for _, function, _ in self._functions for c in function.__closure__ or () if _filled(c)]
        self._seen = self._look()

    def _look(self):
        """All of it in lists that are compared by identity, which is fast where nothing has changed."""
        return ([sys.modules.get(name) for name in self._modules], [vars(module).get(name) for module, name, _ in self._attributes],
                [vars(cls).get(name) for cls, held in self._classes for name in held], [list(vars(cls)) for cls, _ in self._classes],
                [_PARTS(function) for _, function, _ in self._functions], [c.cell_contents for c in self._cells],
                driver.active, type(driver.active), dict(vars(driver.active)), self._current_settings())

    def _take_module(self, module):
        for name, value in list(vars(module).items()):
            if not isinstance(value, (type, *_FUNCTIONS)):
                continue
            self._attributes.append((module, name, value))
            if value.__module__ == module.__name__:
                if isinstance(value, type):
                    self._take_class(value)
                elif isinstance(value, types.FunctionType):
                    self._functions.append((module.__name__, value, _function_parts(value)))

    def _take_class(self, cls):
        held = {k: v for k, v in vars(cls).items() if isinstance(v, _FUNCTIONS)}
        self._classes.append((cls, held))
        for name, value in held.items():
            function = getattr(value, "__func__", getattr(value, "fget", value))
            if isinstance(function, types.FunctionType):
                self._functions.append((f"{cls.__module__}.{cls.__qualname__}", function, _function_parts(function)))

    @staticmethod
    def _current_settings():
        found = []
        for group, names in _SETTINGS:
            for name in names:
                descriptor = vars(type(group)).get(name)
                key = getattr(descriptor, "key", None)
                found.append((f"triton.knobs {name}", vars(group).get(name), os.environ.get(key) if key else None))
        for name in _HOOKS:
            chain = getattr(knobs.runtime, name)
            found.append((f"triton.knobs.runtime.{name}", *getattr(chain, "calls", [chain])))
        return found

    def difference(self):
        """The name of something that is not what it was, or None."""
        if self._look() == self._seen:
            return None
        for name, module in self._modules.items():
            if sys.modules.get(name) is not module:
                return name
        for module, name, value in self._attributes:
            if vars(module).get(name) is not value:
                return f"{module.__name__}.{name}"
        for cls, held in self._classes:
            now = vars(cls)
            for name, value in held.items():
                if now.get(name) is not value:
                    return f"{cls.__module__}.{cls.__qualname__}.{name}"
            for name, value in now.items():
                if name not in held and isinstance(value, _FUNCTIONS):
                    return f"{cls.__module__}.{cls.__qualname__}.{name}"
        for owner, function, parts in self._functions:
            now = _function_parts(function)
            if len(now) != len(parts) or any(a is not b for a, b in zip(now, parts)):
                return f"{owner}.{function.__name__}"
        if (driver.active, type(driver.active), vars(driver.active)) != self._driver:
            return "triton.runtime.driver.active"
        for before, now in zip(self._settings, self._current_settings()):
            if before != now:
                return now[0]
        return None


def _shadowed(thing):
    """The name of a method that an attribute of the object hides."""
    methods = dir(type(thing))
    return next((name for name, value in vars(thing).items() if name in methods and callable(value)), None)


_snapshot = None


def remember():
    """Once, in the zygote, when everything is installed."""
    global _snapshot
    _snapshot = Snapshot()


class Watch:
    """Of one trace. @param things: the recorder's own objects"""

    def __init__(self, things):
        self._things, self._kernels, self._launches = things, [], 0

    def made(self, kernel):
        """A recorded kernel, which the program may get hold of."""
        self._kernels.append((kernel, set(vars(kernel))))

    def launching(self, line):
        """Looks before the first launch, the second, the fourth ..."""
        self._launches += 1
        if self._launches & (self._launches - 1) == 0:
            self.check(line)

    def check(self, line=0):
        """@raises Tampered"""
        if _snapshot is None:
            return
        found = _snapshot.difference()
        for thing in self._things:
            hidden = None if found else _shadowed(thing)
            if hidden:
                found = f"{type(thing).__name__}.{hidden}"
        for kernel, held in self._kernels:
            if not found and set(vars(kernel)) != held:
                found = f"an attribute of the compiled kernel {kernel.name}"
        if found:
            raise Tampered(f"{found} is not what it was before the program ran: it changes what launches and compiles kernels", line)
