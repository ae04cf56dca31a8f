"""Triton's front end: from a kernel and its specialisation to TTIR text."""

import re

from triton._C.libtriton import ir
from triton.backends.nvidia.compiler import CUDABackend
from triton.compiler.code_generator import CodeGenerator
from triton.compiler.errors import CompilationError
from triton.runtime.errors import PTXASError
from triton.runtime.jit import get_jit_fn_file_line

from . import current

# Texts made so far, by what they were made from; each with the options that the front end looked at.
_texts = {}


def known_texts():
    """What this process has lowered, for another trace of the same program (docs/protocols.md, lowered)."""
    return [[*key, seen, *found] for key, entries in _texts.items() for seen, found in entries]


def take_texts(entries):
    """Those of an earlier trace of the same program: as good as what this one would make, and as little trusted."""
    _texts.clear()
    for arch, source, seen, *found in entries:
        _texts.setdefault((arch, source), []).append((seen, tuple(found)))


def _plain(value):
    """As it comes back from JSON."""
    return list(value) if isinstance(value, tuple) else value


def definition_line(fn):
    return get_jit_fn_file_line(fn)[1]


# Functions of ROCm's device library, and what Triton calls its own for that backend.
_FOREIGN = re.compile(r'symbol = "(__ocml_\w*|__ockl_\w*|__triton_hip_\w*)"')


class ForeignDevice(PTXASError):
    """Triton finds it out when ptxas does not find the function; an autotuner then drops the configuration."""

    reason = "compile_error"

    def __init__(self, function, line):
        super().__init__(f"{function} is a function of ROCm's device library; NVIDIA's targets have none of that name (use tl.math, or "
                         "triton.language.extra.libdevice)")
        self.line = line

    def __str__(self):
        return self.error_message


class _Watched:
    """Compile options that note which of them the front end looks at."""

    def __init__(self, options):
        self._options, self.seen = options, {}

    def __getattr__(self, name):
        value = getattr(self._options, name)
        self.seen[name] = _plain(value)
        return value


def lowered(src, backend, options, context):
    codegen = backend.get_codegen_implementation(options)
    module = src.make_ir(backend.target, options, codegen, backend.get_module_map(), context)
    return CUDABackend.make_ttir(module, {}, options, backend.target.arch)


# MLIR contexts that nobody is lowering with: loading the dialects takes milliseconds, and forked processes inherit it. One serves
# one lowering at a time, since host code may launch kernels from several threads.
_idle = []


def _take_context(backend):
    try:
        return _idle.pop()
    except IndexError:
        return new_context(backend)


def new_context(backend):
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    return context


def ttir(src, backend, options):
    """(text, name, number of parameters). Options that the front end did not look at (num_warps, num_stages) do not change
    the text, so that an autotuner's many configurations share it."""
    key = (backend.target.arch, src.hash())
    for seen, found in _texts.get(key, ()):
        if all(_plain(getattr(options, name)) == value for name, value in seen.items()):
            return found
    watched, context = _Watched(options), _take_context(backend)
    try:
        module = lowered(src, backend, watched, context)
    except CompilationError as error:
        error.tritonsmith_line = _line_in_kernel(error)
        raise
    foreign = _FOREIGN.search(str(module))
    if foreign:
        raise ForeignDevice(foreign[1], definition_line(src.fn))
    name = module.get_entry_func_name()
    found = str(module), name, len(module.get_function_signature(module.get_function(name)))
    _texts.setdefault(key, []).append((watched.seen, found))
    del module
    _idle.append(context)
    return found


def _line_in_kernel(error):
    """The innermost place in the program that the front end was at, through helper functions."""
    line, cause = 0, error
    while cause is not None:
        traceback = cause.__traceback__
        while traceback is not None:
            generator = traceback.tb_frame.f_locals.get("self")
            own = isinstance(generator, CodeGenerator) and generator.file_name == current.recorder.filename
            if own and hasattr(generator.cur_node, "lineno"):
                line = generator.begin_line + generator.cur_node.lineno
            traceback = traceback.tb_next
        cause = cause.__cause__
    return line
