"""One request of the as-written run (docs/protocols.md) → its answer, in the child."""

import contextlib
import os
import time

import torch

from tritonsmith import construction, eager, packs
from tritonsmith.errors import TraceError
from tritonsmith.explain import explain
from tritonsmith.program import Program
from tritonsmith.trace.trace import bindable, described_tensors
from tritonsmith.values import DTYPE_OF, by_key, decode, tensors_in


_PART = 1 << 26  # bytes


class NoDevice(TraceError):
    """The device cannot be used from here, whatever the file says."""

    reason = "no_device"


def answer(request, inputs, outputs):
    """Never raises for what the program does. @param inputs, outputs: descriptors of the memory files"""
    run = _Run(request)
    try:
        with device(request["device"]) as place:
            return {"ok": True, **run(packs.Pack(inputs, os.fstat(inputs).st_size, request["index"]), outputs, place)}
    except BaseException as error:  # noqa: BLE001  (SystemExit and KeyboardInterrupt of the program included)
        described = explain(error, run.program)
        if isinstance(error, construction.WeightsDiffer):
            described["reason"] = "weights_differ"
        elif isinstance(error, packs.Full):
            described["reason"] = "outputs_differ"
        elif isinstance(error, torch.OutOfMemoryError):
            described["reason"] = "out_of_memory"
        elif described["reason"].startswith("trace_"):
            described["reason"] = "run_error"
        return {"ok": False, **described}


@contextlib.contextmanager
def device(name):
    """@returns the device that the program is to use"""
    if name != "cpu":
        try:
            torch.cuda.init()
            torch.cuda.set_device(name)
            torch.zeros(1, device=name).add_(1)
            torch.cuda.synchronize()
        except Exception as error:
            raise NoDevice(f"{name}: {type(error).__name__}: {error}") from error
        yield torch.device(name)
        return
    from triton.backends.compiler import GPUTarget

    from tritonsmith import cpu_as_cuda
    from tritonsmith.sanitize.checked_launch import Checker
    from tritonsmith.sanitize.interpreter import Interpreter

    checker = Checker(Interpreter(False), seconds=1e9)  # whoever asked has a deadline
    checker.install(GPUTarget("cuda", 90, 32))
    cpu_as_cuda.install()
    with cpu_as_cuda.active(checker.memory):
        yield cpu_as_cuda.CUDA


class _Run:
    """The program with its request; called once."""

    def __init__(self, request):
        self.request, self.program = request, None

    def __call__(self, pack, outputs, device):
        request = self.request
        inputs, init_inputs = self._given(pack, device)
        values = {ours: pack.tensor("weight/" + theirs).to(device) for ours, theirs in request["links"].items() if not ours.startswith("draw/")}
        # As in the plan's own run, so that the two can be compared: eager mode, and products of float32 in float32.
        eager.ignore_compile(lambda: None)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        begin = time.monotonic()
        self.program = Program(request["source"], request["filename"], "candidate")
        with torch.no_grad():
            with device:
                module = self.program.run()
                model, notes = construction.build(lambda: self._construct(module, init_inputs, device), values, request["seed"])
            bindable(model, inputs)
            output = model(*inputs)
            if device.type == "cuda":
                torch.cuda.synchronize()
        seconds = time.monotonic() - begin
        if any(True for _ in tensors_in(init_inputs)):
            notes["derived"] = True  # of such tensors the request has no values
        results = [(f"output/{i}", self._plain(tensor)) for i, tensor in enumerate(tensors_in(by_key(output)))]
        results += self._changed(inputs, pack)
        with torch.no_grad():
            index = packs.write(outputs, os.fstat(outputs).st_size, results)
        return {"outputs": index, "seconds": seconds, **notes}

    def _given(self, pack, device):
        inputs, init_inputs = (_made(self.request[name], device) for name in ("inputs", "init_inputs"))
        for i, made in enumerate(tensors_in(inputs)):
            construction.fill(made, pack.tensor(f"input/{i}").to(device))
        return inputs, init_inputs

    def _construct(self, module, init_inputs, device):
        entry = getattr(module, self.request["entry"], None)
        if not callable(entry):
            raise TraceError(f"no class {self.request['entry']} is defined", reason="entry_missing")
        bindable(entry, init_inputs)
        model = entry(*init_inputs)
        return model.to(device) if isinstance(model, torch.nn.Module) else model

    def _plain(self, tensor):
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
            raise TraceError(f"an output is a {type(tensor).__name__}, not a plain torch.Tensor")
        return tensor.detach().resolve_conj().resolve_neg()

    def _changed(self, inputs, pack):
        """The inputs whose bytes are others than before."""
        with torch._C.DisableTorchFunction():
            return [(f"input/{i}", tensor) for i, tensor in enumerate(tensors_in(inputs)) if _differ(tensor, pack.tensor(f"input/{i}"))]


def _differ(tensor, before):
    """Whether the bytes of a tensor are others than those of one on the host; in parts, for the host's memory's sake."""
    parts = (bytes_.split(_PART) for bytes_ in (tensor.detach().contiguous().view(-1).view(torch.uint8), before.view(-1).view(torch.uint8)))
    return tensor.numel() > 0 and any(not torch.equal(now.cpu(), then) for now, then in zip(*parts))


def _made(described, device):
    """Arguments as VALUEs describe them: their tensors are views of as many storages as there are buffers, all zero."""
    extents = {}
    for tensor in described_tensors(described):
        span = 1 + sum((n - 1) * s for n, s in zip(tensor["shape"], tensor["stride"])) if 0 not in tensor["shape"] else 0
        extents[tensor["buffer"]] = max(extents.get(tensor["buffer"], 0), (tensor["offset"] + span) * DTYPE_OF[tensor["dtype"]].itemsize)
    storages = {number: torch.zeros(size, dtype=torch.uint8, device=device).untyped_storage() for number, size in extents.items()}

    def tensor(t):
        base = torch.empty(0, dtype=DTYPE_OF[t["dtype"]], device=device)
        return base.set_(storages[t["buffer"]], t["offset"], t["shape"], t["stride"])

    return decode(described, tensor)
