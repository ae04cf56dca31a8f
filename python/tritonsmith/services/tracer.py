"""The tracer's zygote: `python -I PACKAGE/tritonsmith/services/tracer.py FD` (docs/protocols.md).

Imports PyTorch and Triton once, meets the device that computes nothing, does once what is slow the first time, then
forks a child for each request.
"""
import os
import sys

if __name__ == "__main__":
    _PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[:0] = [_PACKAGE, os.path.join(_PACKAGE, "native")]


def prepare():
    """What every child inherits. @returns the greeting."""
    from tritonsmith.trace import metas

    with metas.postponed():
        import torch
    import triton

    from tritonsmith import device, eager, kernels
    from tritonsmith.trace import intact, recurrent, tuning, warm

    torch.set_num_threads(1)
    eager.keep_dynamo_out()
    eager.launch_wrapped_kernels()
    device.initialise()
    recurrent.register()
    kernels.install()
    tuning.install()
    warm.up()
    intact.remember()
    return {"ready": True, "torch": torch.__version__.split("+")[0], "triton": triton.__version__, "pid": os.getpid()}


def _sandbox():
    """The sandbox's module, or None where a developer has asked to go without."""
    if os.environ.pop("TRITONSMITH_NO_SANDBOX", "") == "1":
        return None
    from tritonsmith import sandbox

    return sandbox


def main(fd):
    import gc

    from tritonsmith.trace import metas
    from tritonsmith.services import forkserver

    try:
        sandbox = _sandbox()
        gc.disable()  # what is imported stays: searching it for garbage takes a third of the imports' time
        greeting = prepare()
        gc.enable()
    except Exception as error:
        os.write(fd, forkserver.frame({"error": f"{type(error).__name__}: {error}"}))
        return 1
    zygote = os.getpid()

    def run(request, result, *ask):
        if sandbox is not None and request.get("sandbox", True):
            sandbox.enter_trace(request["folder"], [result, *ask], request["limits"]["seconds"], zygote)
        metas.ask_at(*ask)
        from tritonsmith.trace.trace import trace

        forkserver.write_frame(result, trace(request))

    forkserver.serve(fd, greeting, run, metas.load_for_children)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
