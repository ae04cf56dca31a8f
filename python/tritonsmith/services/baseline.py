"""The compiled baseline: `python -I PACKAGE/tritonsmith/services/baseline.py FD` times a task's reference under torch.compile
(docs/protocols.md). It runs what the judge trusts, so it has no sandbox. One task at a time.
"""
import os
import sys

if __name__ == "__main__":
    _PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path[:0] = [_PACKAGE, os.path.join(_PACKAGE, "native")]

import time

import torch

FLUSH_BYTES = 256 << 20  # more than the L2 cache of any GPU
WARM_UPS = 3
BLOCK = 100  # samples that are enqueued before their times are read


class Refused(Exception):
    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


def _tensors(value):
    from torch.utils._pytree import tree_leaves

    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _allow_tf32(precision):
    """PyTorch's defaults: TF32 in cuDNN's convolutions, IEEE in products."""
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    torch.backends.cudnn.allow_tf32 = precision != "ieee"


class _Call:
    """A compiled model in one precision, and the CUDA graph of its call where it can be one."""

    def __init__(self, task, model, precision, mode):
        self._precision, self._task = precision, task
        _allow_tf32(precision)
        self._compiled = torch.compile(model, mode=mode)
        self._warm_up()
        self.graph = self._captured() if task.device.type == "cuda" else None

    def plain(self):
        _allow_tf32(self._precision)
        with torch.no_grad():
            return self._compiled(*self._task.inputs)

    def __call__(self):
        return self.graph.replay() if self.graph is not None else self.plain()

    def _warm_up(self):
        try:
            for _ in range(WARM_UPS):
                self.plain()
            self._task.wait()
        except torch.OutOfMemoryError as error:
            raise Refused("out_of_memory", str(error)) from error
        except Exception as error:  # Dynamo, Inductor and the compilers raise many kinds
            raise Refused("compile_failed", f"{type(error).__name__}: {error}"[:2000]) from error

    def _captured(self):
        """The call as a CUDA graph; None where it cannot be one: it waits for the device, or a graph of its own is inside."""
        graph, device = torch.cuda.CUDAGraph(), self._task.device
        stream = torch.cuda.Stream(device)
        try:
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                self.plain()
            torch.cuda.current_stream().wait_stream(stream)
            torch.cuda.synchronize(device)
            with torch.cuda.graph(graph, stream=stream):
                self._output = self.plain()  # kept: the graph writes into it
            graph.replay()
            self._task.wait()
            return graph
        except RuntimeError:
            torch.cuda.synchronize(device)
            self.plain()  # or the process is not fit to go on
            self._task.wait()
            return None


class _Task:
    """The reference, its two sets of inputs, and the calls that are timed: always on the same memory."""

    def __init__(self, request):
        from tritonsmith.program import Program

        self.device = torch.device(request["device"])
        torch.manual_seed(0)
        program = Program(request["source"], request["filename"], "reference", request.get("constants") or {})
        with torch.no_grad(), self.device:
            module = program.run()
            self.inputs, self._others = self._drawn(module), self._drawn(module)
            init_inputs = list(module.get_init_inputs()) if hasattr(module, "get_init_inputs") else []
            model = getattr(module, request["entry"])(*self._moved(init_inputs))
        model = model.to(self.device) if isinstance(model, torch.nn.Module) else model
        begin = time.monotonic()
        mode = request.get("mode", "default")
        self._calls = {name: _Call(self, model, name, mode) for name in request.get("precisions") or ["default"]}
        self.graph = all(call.graph is not None for call in self._calls.values())
        self.seconds = time.monotonic() - begin
        self._flush = torch.empty(FLUSH_BYTES, dtype=torch.int8, device=self.device) if self.device.type == "cuda" else None

    def _moved(self, values):
        return [v.to(self.device) if isinstance(v, torch.Tensor) else v for v in values]

    def _drawn(self, module):
        return self._moved(module.get_inputs())

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def _refresh(self):
        """Values written again, also where the call changes its inputs, and none of them in the cache."""
        for here, there in zip(_tensors(self.inputs), _tensors(self._others)):
            here.copy_(there)
        if self._flush is not None:
            self._flush.zero_()

    def times(self, samples, seconds, precision=None):
        """ms of each call, at least one; no further block once `seconds` have passed."""
        call = self._calls[precision] if precision else next(iter(self._calls.values()))
        end, taken = time.monotonic() + seconds, []
        while len(taken) < samples and (not taken or time.monotonic() < end):
            count = min(BLOCK, samples - len(taken))
            taken += self._on_gpu(call, count) if self.device.type == "cuda" else self._on_cpu(call, count, end)
        return taken

    def _on_gpu(self, call, count):
        pairs = []
        for _ in range(count):
            self._refresh()
            begin, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            call()
            after.record()
            pairs.append((begin, after))
        torch.cuda.synchronize(self.device)
        return [begin.elapsed_time(after) for begin, after in pairs]

    def _on_cpu(self, call, count, end):
        taken = []
        for _ in range(count):
            self._refresh()
            begin = time.perf_counter()
            call()
            taken.append((time.perf_counter() - begin) * 1000)
            if time.monotonic() > end:
                break
        return taken


class Server:
    """Answers one request at a time."""

    def __init__(self):
        self._task = None

    def answer(self, request):
        try:
            return {"ok": True, **getattr(self, "_" + request["do"])(request)}
        except Refused as refused:
            return self._failed(refused.reason, refused)
        except torch.OutOfMemoryError as error:
            return self._failed("out_of_memory", error)
        except Exception as error:  # of the task's own
            return self._failed("task_error", error)

    def _failed(self, reason, error):
        text = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        return {"ok": False, "reason": reason, "message": text[:2000]}

    def _open(self, request):
        self._close(request)
        self._task = _Task(request)
        return {"graph": self._task.graph, "seconds": self._task.seconds}

    def _time(self, request):
        if self._task is None:
            raise Refused("task_error", "no task is open")
        return {"ms": self._task.times(request["samples"], request["seconds"], request.get("precision"))}

    def _close(self, request):
        import gc

        self._task = None
        torch._dynamo.reset()
        gc.collect()
        if torch.cuda.is_initialized():
            torch.cuda.empty_cache()
        return {}


def main(fd):
    import socket

    import torch._dynamo  # noqa: F401

    from tritonsmith.services import forkserver

    connection, server = socket.socket(fileno=fd), Server()
    connection.sendall(forkserver.frame({"ready": True, "torch": torch.__version__.split("+")[0], "pid": os.getpid()}))
    while True:
        received = forkserver.receive(connection)
        if received is None:
            os._exit(0)  # compile workers end with it
        request, _ = received
        answer = server.answer(request)
        connection.sendall(forkserver.frame(answer))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
