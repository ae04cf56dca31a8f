"""The as-written run: `python -I PACKAGE/tritonsmith/services/as_written.py FD` (docs/protocols.md).

Runs candidates' files for real, on the GPU, each in a forked and sandboxed child: a module (as_written_run), or a program with its tests
(program_run). CUDA is initialised by the children alone.
On a machine without a GPU, device "cpu" stands in: PyTorch's CPU passes for the device, and launches are interpreted.
"""
import os
import sys

if __name__ == "__main__":
    _PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[:0] = [_PACKAGE, os.path.join(_PACKAGE, "native")]


def _meet_driver():
    """Loads Triton's library of driver calls, which a C compiler makes, once for all children. It asks nothing of the device.
    @returns None, or why it cannot be had: there is no driver here"""
    from triton.backends.nvidia import driver

    try:
        driver.CudaUtils()
    except Exception as error:  # of the compiler, of the loader, Triton's own assertion
        return f"{type(error).__name__}: {error}"
    driver.CudaUtils.__init__ = lambda self: None  # there is one, and it is ready: children would build the library again
    return None


def prepare():
    """What every child inherits. @returns the greeting and the programs that children may start."""
    import torch
    import triton
    import triton.backends.nvidia.compiler
    import triton.testing  # noqa: F401
    from triton import knobs

    from tritonsmith import eager  # noqa: F401
    from tritonsmith.services import as_written_run, compiler, program_run  # noqa: F401

    torch.set_num_threads(1)
    eager.keep_dynamo_out()
    assemblers = [knobs.nvidia.ptxas.path, knobs.nvidia.ptxas_blackwell.path]
    programs = sorted({*assemblers, *(loader for path in assemblers for loader in compiler.interpreter_of(path))})
    greeting = {"ready": True, "torch": torch.__version__.split("+")[0], "triton": triton.__version__, "pid": os.getpid(),
                "driver": _meet_driver()}
    return greeting, programs


def main(fd):
    import gc

    from tritonsmith.services import forkserver

    confined = os.environ.pop("TRITONSMITH_NO_SANDBOX", "") != "1"
    try:
        if confined:
            from tritonsmith import sandbox
        gc.disable()  # as in tracer.py
        greeting, programs = prepare()
        gc.enable()
    except Exception as error:
        os.write(fd, forkserver.frame({"error": f"{type(error).__name__}: {error}"}))
        return 1
    server = os.getpid()

    def run(request, result, inputs, outputs):
        keep, seconds, folder = [result, inputs, outputs], request["limits"]["seconds"], request["folder"]
        if confined and request.get("sandbox", True):
            if request["device"] == "cpu":
                sandbox.enter_trace(folder, keep, seconds, server)
            else:
                sandbox.enter_gpu(folder, programs, keep, seconds, server)
        from tritonsmith.services import as_written_run, program_run

        if request.get("do") == "program":
            forkserver.write_frame(result, program_run.answer(request, outputs))
        else:
            forkserver.write_frame(result, as_written_run.answer(request, inputs, outputs))

    forkserver.serve(fd, greeting, run)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
