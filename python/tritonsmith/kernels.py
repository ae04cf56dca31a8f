"""Triton on the device that computes nothing: kernels go as far as TTIR, and launches are recorded."""

import dataclasses
import operator

import triton
import triton.compiler
import triton.testing
from triton.backends.compiler import Language

from . import current, scratch
from .arguments import flatten
from .driver import RecordingDriver, once
from .errors import TraceError
from .front_end import definition_line, lowered, new_context, ttir

# Said in full by the TTIR text itself.
_FRONT_END = ("debug", "sanitize_overflow", "default_dot_input_precision", "supported_fp8_dtypes",
              "deprecated_fp8_dot_operand_dtypes", "max_num_imprecise_acc_default")
_ALWAYS = ("num_warps", "num_stages", "num_ctas")


class _Metadata:
    """Compile options, and what a compilation would have said. `shared` is worked out when asked for."""

    def __init__(self, options, name, target, lower):
        self.__dict__.update(options)
        self.name, self.target = name, target
        self._lower = lower

    def _asdict(self):
        return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}

    def __getattr__(self, name):
        if name in ("shared", "tmem_size", "global_scratch_size", "global_scratch_align", "tensordesc_meta"):
            self.__dict__.update(self._lower())
            return self.__dict__.get(name, 0)
        raise AttributeError(name)


class _Texts(dict):
    def __missing__(self, key):
        raise KeyError(f"{key}: kernels are not compiled beyond TTIR while tracing")


class RecordedKernel:
    """Stands for triton.compiler.CompiledKernel: launching it records a step."""

    # A guess that code sizing its grid by occupancy can live with; the plan holds the grid that came of it.
    n_regs, n_spills, n_max_threads = 64, 0, 1024
    module, function, packed_metadata, kernel = 1, 1, (4, 1, 0), b""

    def __init__(self, src, backend, target, options, text, name, parameters):
        self.src, self.name, self.parameters = src, name, parameters
        self.hash = src.hash()
        self.asm = _Texts(ttir=text, source=text)
        self.metadata = _Metadata(options.__dict__, name, target, self._lower)
        self._backend, self._options = backend, options
        self._entry = {"name": name, "ttir": text, "options": self._kept_options(), "line": definition_line(src.fn)}
        self._index = None
        current.recorder.watch.made(self)

    def _kept_options(self):
        defaults = self._backend.parse_options({}).__dict__
        kept = {}
        for name, value in self._options.__dict__.items():
            if name in _ALWAYS or (name not in _FRONT_END and value != defaults[name]):
                plain = value is None or isinstance(value, (bool, int, float, str))
                kept[name] = value if plain else str(value)
        return kept

    def _lower(self):
        """Triton's own pipeline up to LLVM, for those who ask for shared memory."""
        current.recorder.warn(f"host code asks for the compiled size of kernel {self.name}")
        capability, metadata = self._backend.target.arch, dict(self._options.__dict__)
        # The PTX version would else be asked of an assembler that the sandbox does not start.
        options = dataclasses.replace(self._options, ptx_version=self._options.ptx_version or 86)
        module = lowered(self.src, self._backend, options, new_context(self._backend))
        module = self._backend.make_ttgir(module, metadata, options, capability)
        self._backend.make_llir(module, metadata, options, capability)
        return {k: metadata.get(k) for k in ("shared", "tmem_size", "global_scratch_size", "global_scratch_align", "tensordesc_meta")}

    def _init_handles(self):
        pass

    def launch_metadata(self, grid, stream, *args):
        return None

    def run(self, x, y, z, stream, function, packed, launch_metadata, enter_hook, exit_hook, *args):
        grid = [operator.index(size) for size in (x, y, z)]
        if any(size < 0 for size in grid):
            raise TraceError(f"kernel {self.name} is launched on a negative grid {tuple(grid)}", current.recorder.line())
        line = current.recorder.line()
        current.recorder.watch.launching(line)
        values, tensors = flatten(self, args, current.recorder, line)
        if not all(grid):
            return
        scratch.ask(self.asm["ttir"], self._options, self.metadata.target.arch, grid, current.recorder, line)
        if len(values) != self.parameters:
            raise TraceError(f"kernel {self.name} takes {self.parameters} values, its launch gives {len(values)}", line)
        if self._index is None:
            if self._entry not in current.recorder.kernels:
                current.recorder.kernels.append(self._entry)
            self._index = current.recorder.kernels.index(self._entry)
        current.recorder.add({"kind": "launch", "kernel": self._index, "grid": grid, "args": values}, line)
        for tensor in tensors:
            current.recorder.buffers.forget(tensor)

    def __getitem__(self, grid):
        sizes = (*grid, 1, 1)[:3] if isinstance(grid, (tuple, list)) else (grid, 1, 1)
        return lambda *args, **kwargs: self.run(*sizes, 0, 1, None, None, None, None, *args)


def compile(src, target=None, options=None, _env_vars=None):
    """In place of triton.compile: to TTIR, without caches on disk."""
    target = target or current.target
    if not hasattr(src, "fn"):
        raise TraceError("kernels given as IR files are not traced", current.recorder.line(), "not_ttir")
    if getattr(src, "language", Language.TRITON) != Language.TRITON or src.fn.is_gluon():
        raise TraceError(f"kernel {src.name} is Gluon, which has no TTIR", definition_line(src.fn), "not_ttir")
    backend = triton.compiler.compiler.make_backend(target)
    options = backend.parse_options({**(options or {}), **src.parse_options()})
    return RecordedKernel(src, backend, target, options, *ttir(src, backend, options))


def install():
    """Once, in the zygote."""
    triton.runtime.driver.set_active(RecordingDriver())
    for module in (triton, triton.compiler, triton.compiler.compiler):
        module.compile = compile
    triton.testing.do_bench = triton.testing.do_bench_cudagraph = once
