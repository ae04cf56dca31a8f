"""Triton on the device that computes nothing: kernels go as far as TTIR, and launches are recorded."""

import dataclasses
import operator
import sys

import torch
import triton
import triton.compiler
import triton.testing
from triton.backends.compiler import GPUTarget, Language
from triton.backends.driver import DriverBase
from triton.backends.nvidia.compiler import CUDABackend
from triton.compiler.code_generator import CodeGenerator
from triton.compiler.errors import CompilationError
from triton.language.extra.cuda import libdevice
from triton.runtime.jit import get_jit_fn_file_line
from triton._C.libtriton import ir

from . import device as fake
from .arguments import flatten
from .errors import TraceError

# Said in full by the TTIR text itself.
_FRONT_END = ("debug", "sanitize_overflow", "default_dot_input_precision", "supported_fp8_dtypes",
              "deprecated_fp8_dot_operand_dtypes", "max_num_imprecise_acc_default")
_ALWAYS = ("num_warps", "num_stages", "num_ctas")
_recorder = None
_target = None
_texts = {}


class CompileFailed(TraceError):
    """Triton's front end refused a kernel; `line` is the kernel's own."""

    reason = "compile_error"


class _Utils:
    def load_binary(self, name, kernel, shared, device):
        raise TraceError("loading a compiled kernel is not possible while tracing")

    def get_device_properties(self, device):
        return fake.triton_properties(_target.arch)


class RecordingDriver(DriverBase):
    def __init__(self):
        self.utils = _Utils()
        self.get_device_capability = torch.cuda.get_device_capability

    launcher_cls = None

    @classmethod
    def is_active(cls):
        return True

    def map_python_to_cpp_type(self, ty):
        from triton.backends.nvidia.driver import ty_to_cpp
        return ty_to_cpp(ty)

    def get_current_target(self):
        return _target

    def get_active_torch_device(self):
        return torch.device("cuda", 0)

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        torch.cuda.set_device(device)

    def get_current_stream(self, device):
        return 0

    def get_device_interface(self):
        return torch.cuda

    def get_benchmarker(self):
        return once

    def get_empty_cache_for_benchmark(self):
        return torch.empty(0, dtype=torch.int, device="cuda")

    def clear_cache(self, cache):
        pass


def once(call, *args, quantiles=None, return_mode="mean", **kwargs):
    """Benchmarks run what they time once: there is no clock in a plan."""
    call()
    if quantiles is not None:
        return [1.0] * len(quantiles) if len(quantiles) > 1 else 1.0
    return [1.0] if return_mode == "all" else 1.0


class _Metadata:
    """Compile options, and what a compilation would have told. `shared` is worked out when asked for."""

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

    def __init__(self, src, backend, target, options, ttir, name, parameters):
        self.src, self.name, self.parameters = src, name, parameters
        self.hash = src.hash()
        self.asm = _Texts(ttir=ttir, source=ttir)
        self.metadata = _Metadata(options.__dict__, name, target, self._lower)
        self._backend, self._options = backend, options
        self._entry = {"name": name, "ttir": ttir, "options": self._kept_options(), "line": definition_line(src.fn)}
        self._index = None

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
        _recorder.warn(f"host code asks for the compiled size of kernel {self.name}")
        capability, metadata = self._backend.target.arch, dict(self._options.__dict__)
        # The PTX version would else be asked of an assembler that the sandbox does not start.
        options = dataclasses.replace(self._options, ptx_version=self._options.ptx_version or 86)
        module = _lowered(self.src, self._backend, options, _context(self._backend))
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
            raise TraceError(f"kernel {self.name} is launched on a negative grid {tuple(grid)}", _recorder.line())
        line = _recorder.line()
        values, tensors = flatten(self, args, _recorder, line)
        if not all(grid):
            return
        if len(values) != self.parameters:
            raise TraceError(f"kernel {self.name} takes {self.parameters} values, its launch gives {len(values)}", line)
        if self._index is None:
            if self._entry not in _recorder.kernels:
                _recorder.kernels.append(self._entry)
            self._index = _recorder.kernels.index(self._entry)
        _recorder.add({"kind": "launch", "kernel": self._index, "grid": grid, "args": values}, line)
        for tensor in tensors:
            _recorder.buffers.forget(tensor)

    def __getitem__(self, grid):
        sizes = (*grid, 1, 1)[:3] if isinstance(grid, (tuple, list)) else (grid, 1, 1)
        return lambda *args, **kwargs: self.run(*sizes, 0, 1, None, None, None, None, *args)


def definition_line(fn):
    return get_jit_fn_file_line(fn)[1]


class _Watched:
    """Compile options that note which of them the front end looks at."""

    def __init__(self, options):
        self._options, self.seen = options, {}

    def __getattr__(self, name):
        value = self.seen[name] = getattr(self._options, name)
        return value


def _lowered(src, backend, options, context):
    codegen = backend.get_codegen_implementation(options)
    module = src.make_ir(backend.target, options, codegen, backend.get_module_map(), context)
    return CUDABackend.make_ttir(module, {}, options, backend.target.arch)


def _context(backend):
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    return context


def _ttir(src, backend, options):
    """(text, name, number of parameters). Options that the front end did not look at (num_warps, num_stages) do not change
    the text, so that an autotuner's many configurations share it."""
    key = (backend.target.arch, src.hash())
    for seen, found in _texts.get(key, ()):
        if all(getattr(options, name) == value for name, value in seen.items()):
            return found
    watched = _Watched(options)
    try:
        module = _lowered(src, backend, watched, _context(backend))
    except CompilationError as error:
        error.tritonsmith_line = _line_in_kernel(error)
        raise
    name = module.get_entry_func_name()
    found = str(module), name, len(module.get_function_signature(module.get_function(name)))
    _texts.setdefault(key, []).append((watched.seen, found))
    return found


def compile(src, target=None, options=None, _env_vars=None):
    """In place of triton.compile: to TTIR, without caches on disk."""
    target = target or _target
    if not hasattr(src, "fn"):
        raise TraceError("kernels given as IR files are not traced", _recorder.line(), "not_ttir")
    if getattr(src, "language", Language.TRITON) != Language.TRITON or src.fn.is_gluon():
        raise TraceError(f"kernel {src.name} is Gluon, which has no TTIR", definition_line(src.fn), "not_ttir")
    backend = triton.compiler.compiler.make_backend(target)
    options = backend.parse_options({**(options or {}), **src.parse_options()})
    return RecordedKernel(src, backend, target, options, *_ttir(src, backend, options))


def _line_in_kernel(error):
    """The innermost place in the program that the front end was at, through helper functions."""
    line, cause = 0, error
    while cause is not None:
        traceback = cause.__traceback__
        while traceback is not None:
            generator = traceback.tb_frame.f_locals.get("self")
            own = isinstance(generator, CodeGenerator) and generator.file_name == _recorder.filename
            if own and hasattr(generator.cur_node, "lineno"):
                line = generator.begin_line + generator.cur_node.lineno
            traceback = traceback.tb_next
        cause = cause.__cause__
    return line


def install():
    """Once, in the zygote."""
    triton.runtime.driver.set_active(RecordingDriver())
    for module in (triton, triton.compiler, triton.compiler.compiler):
        module.compile = compile
    triton.testing.do_bench = triton.testing.do_bench_cudagraph = once
    # The target is NVIDIA's: programs that name ROCm's table of device functions mean this one.
    triton.language.extra.hip.libdevice = sys.modules["triton.language.extra.hip.libdevice"] = libdevice


def start(recorder, number):
    """Directs what follows to a trace. @param number: 90 for sm_90."""
    global _recorder, _target
    _recorder = recorder
    _texts.clear()
    _target = GPUTarget("cuda", number, 32)
