"""The compiler service: TTIR text → cubin for a target, without a GPU (docs/protocols.md).

Each compile runs in a forked, sandboxed child, because MLIR aborts on much that it does not like. The text comes from our
own printer; options outside of the list below never reach Triton, where some of them name files or reach ptxas' command line.
"""
import base64
import contextlib
import io
import os
import re
import resource
import struct
import sys

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [PACKAGE, os.path.join(PACKAGE, "native")]

from tritonsmith.services import forkserver  # noqa: E402
from tritonsmith.services.pipelined import issue_order  # noqa: E402
from tritonsmith.services.reorder import reorders  # noqa: E402

# Bytes of shared memory that one block may have (CUDA C++ Programming Guide, compute capabilities).
SHARED_LIMIT = {80: 166912, 86: 101376, 87: 166912, 89: 101376, 90: 232448, 100: 232448, 103: 232448, 120: 101376}
TENSOR_MEMORY_COLUMNS = 512
REGISTERS_OF_A_BLOCK = 65536

OPTIONS = {
    "num_warps": lambda v: type(v) is int and v in (1, 2, 4, 8, 16, 32),
    "num_ctas": lambda v: type(v) is int and v in (1, 2, 4, 8, 16),
    "num_stages": lambda v: type(v) is int and 0 <= v <= 100,
    "maxnreg": lambda v: v is None or (type(v) is int and 1 <= v <= 255),
    "enable_fp_fusion": lambda v: type(v) is bool,
    "launch_cooperative_grid": lambda v: type(v) is bool,
    "launch_pdl": lambda v: v is None or type(v) is bool,
}


class Killed(Exception):
    """Somebody killed the assembler, which is not the kernel's fault."""


class Refused(Exception):

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


def checked(options):
    for name, value in options.items():
        if name not in OPTIONS or not OPTIONS[name](value):
            raise Refused("compile_failed", f"compile option {name}={value!r} is not allowed")
    return options


def read(ttir, capability, options):
    """@returns the module of a text, Triton's own stages after TTIR, their metadata and their backend."""
    from triton import knobs
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import IRSource, make_backend
    path = "kernel.ttir"
    with open(path, "w") as file:
        file.write(ttir)
    knobs.nvidia.dump_ptxas_log = True  # the only source of spills without a device
    knobs.compilation.disable_line_info = True  # it holds the working folder; the machine code is the same
    backend = make_backend(GPUTarget("cuda", capability, 32))
    parsed = backend.parse_options(dict(options))
    context = ir.context()
    source = IRSource(path, context, backend)
    stages = {}
    backend.add_stages(stages, parsed, source.language)
    metadata = dict(parsed.__dict__)
    module = source.make_ir(backend.target, parsed, backend.get_codegen_implementation(parsed),
                            backend.get_module_map(), context)
    return module, stages, metadata, backend


def lower(ttir, capability, options):
    """Runs Triton's stages; returns the cubin, the metadata, ptxas' verbose log, and whether a reshape reorders. The cubin depends
    on the text and the options alone."""
    module, stages, metadata, backend = read(ttir, capability, options)
    log = io.StringIO()
    reordered = False
    with contextlib.redirect_stdout(log):
        for stage in ("ttgir", "llir", "ptx", "cubin"):
            module = stages[stage](module, metadata)
            if stage == "ttgir" and "allow_reorder" in ttir:
                reordered = reorders(str(module), parser(backend))
            if stage == "llir":
                check_memory(metadata, capability)  # before ptxas, which is slow on what is too large
    return module, metadata, log.getvalue(), reordered


def parser(backend):
    """Reads and verifies a text of Triton's IR."""
    from triton._C.libtriton import ir

    def parse(text):
        with open("parsed.ttgir", "w") as file:
            file.write(text)
        context = ir.context()
        ir.load_dialects(context)
        backend.load_dialects(context)
        ir.parse_mlir_module("parsed.ttgir", context)

    return parse


def number(pattern, log):
    found = re.search(pattern, log)
    return int(found.group(1)) if found else 0


def check_memory(metadata, capability):
    """What a launch would refuse; Triton finds it out when it loads the cubin, for which we have no device."""
    limit = SHARED_LIMIT.get(capability, 101376)
    if metadata["shared"] > limit:
        raise Refused("out_of_resources", f"needs {metadata['shared']} bytes of shared memory, sm_{capability} has {limit}")
    columns = metadata.get("tmem_size") or 0
    if columns > TENSOR_MEMORY_COLUMNS:
        raise Refused("out_of_resources", f"needs {columns} columns of tensor memory, of {TENSOR_MEMORY_COLUMNS}")


def check_threads(metadata, registers):
    threads = metadata["num_warps"] * 32
    if threads > 1024:
        raise Refused("out_of_resources", f"needs {threads} threads in a block, of 1024")
    if registers * threads > REGISTERS_OF_A_BLOCK:
        raise Refused("out_of_resources", f"needs {registers} registers in each of {threads} threads, "
                      f"{REGISTERS_OF_A_BLOCK} in all")


def plain(value):
    """Metadata as JSON has it."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def time_is_up(request):
    """Whether the system has ended a child for its processor time."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime >= request["limits"]["seconds"]


def compile_one(request):
    options = checked(request["options"])
    capability = int(re.fullmatch(r"sm_(\d+)a?", request["target"]).group(1))
    if request.get("want") == "issue_order":
        module, stages, metadata, _ = read(request["ttir"], capability, options)
        return {"ok": True, "issue_order": issue_order(str(stages["ttgir"](module, metadata)))}
    try:
        cubin, metadata, log, reordered = lower(request["ttir"], capability, options)
    except Refused:
        raise
    except Exception as error:  # Triton and MLIR raise many kinds
        text = str(error).split("\nRepro command", 1)[0].strip()
        if re.search(r"failed with error code -9\b", text) and not time_is_up(request):
            raise Killed from error
        if re.search(r"failed with error code -(9|24)\b", text):  # SIGKILL, SIGXCPU
            raise Refused("compile_timeout", f"ptxas did not end within {request['limits']['seconds']:.0f} s of processor time") from error
        if re.search(r"failed with error code -", text):
            text = f"ptxas died ({text.splitlines()[0]})"
        # "out of resource" is MLIR's and Triton's word, the others are ptxas'
        exhausted = re.search(r"out of resource|too much (shared|local|global|data)|exceeds? .*(limit|maximum)", text)
        raise Refused("out_of_resources" if exhausted else "compile_failed", f"{type(error).__name__}: {text}") from error
    registers = number(r"Used (\d+) registers", log)
    check_threads(metadata, registers)
    return {
        "ok": True,
        "name": metadata["name"],
        "num_warps": metadata["num_warps"],
        "shared": metadata["shared"],
        "registers": registers,
        "reorders": reordered,
        "spills": number(r"(\d+) bytes spill stores", log) // 4,
        "tensordesc_meta": plain(metadata.get("tensordesc_meta")),
        "global_scratch_size": metadata.get("global_scratch_size") or 0,
        "global_scratch_align": metadata.get("global_scratch_align") or 1,
        "cubin": base64.b64encode(cubin).decode(),
    }


def interpreter_of(program):
    """The loader that an ELF program asks the kernel for (its PT_INTERP), which must be startable too."""
    with open(program, "rb") as file:
        head = file.read(4096)
    offset, = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    for i in range(count):
        kind, _, where, _, _, length = struct.unpack_from("<IIQQQQ", head, offset + i * size)
        if kind == 3:
            return [head[where:where + length].rstrip(b"\0").decode()]
    return []


class Service:

    def __init__(self):
        import triton
        from triton import knobs
        import triton.backends.nvidia.compiler as nvidia
        # Asked before the fork: each runs `ptxas --version`.
        self.assemblers = [knobs.nvidia.ptxas.path, knobs.nvidia.ptxas_blackwell.path]
        versions = [nvidia.get_ptxas_version(80).strip(), nvidia.get_ptxas_version(100).strip()]
        for capability in (80, 100):
            nvidia.get_ptx_version_from_options(nvidia.CUDAOptions(arch="sm80"), capability)
        self.greeting = {"ready": True, "pid": os.getpid(), "triton": triton.__version__, "ptxas": versions}
        self.executable = sorted({*self.assemblers, *(i for p in self.assemblers for i in interpreter_of(p))})
        self.pid = os.getpid()

    def run(self, request, result_fd):
        if request["sandbox"]:
            from tritonsmith import sandbox
            sandbox.enter_compile(request["folder"], self.executable, [result_fd], request["limits"], self.pid)
        try:
            answer = compile_one(request)
        except Refused as refused:
            answer = {"ok": False, "reason": refused.reason, "message": str(refused)}
        except Killed:
            answer = {"ok": False, "killed": True}
        forkserver.write_frame(result_fd, answer)


def main():
    fd = int(sys.argv[1])
    try:
        service = Service()
    except Exception as error:
        os.write(fd, forkserver.frame({"error": f"{type(error).__name__}: {error}"}))
        raise
    forkserver.serve(fd, service.greeting, service.run)


if __name__ == "__main__":
    main()
