"""Runs one program with its own test and compares every launch: run_program.py PROGRAM.py RUN_LAUNCH FOLDER SECONDS.

The program runs on CPU tensors that pass for CUDA tensors. Each of its launches becomes TTIR for sm_90 by the tracer's own way, is
run by our interpreter (with all checks) on a copy of the memory, and by Triton's on the memory itself. Launches that would
take Triton's interpreter too long are compared in some of their programs. One JSON line for each launch goes to FOLDER/launches.
"""
import hashlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time
import traceback
import types

import torch
from triton.backends.compiler import GPUTarget

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import triton_reference  # noqa: E402
from tritonsmith import arguments, cpu_as_cuda, cuda_module, current, device_memory, driver, kernels  # noqa: E402
from tritonsmith.buffers import storage_bytes  # noqa: E402
from tritonsmith.launch_buffers import LaunchRecorder  # noqa: E402
from tritonsmith.program import Program  # noqa: E402
from tritonsmith.values import DTYPES  # noqa: E402

LAUNCH_SECONDS, LATER_SECONDS = 5.0, 0.5  # for Triton's interpreter, before and after half of the program's time is gone
# What rounding explains, for the narrowest float that the kernel has: of one element, and of all (relative, in norm).
TOLERANCE = {"f64": (1e-12, 1e-13), "f32": (1e-4, 5e-6), "f16": (1e-2, 1e-3), "bf16": (8e-2, 8e-3), "f8e4m3fn": (0.26, 0.05),
             "f8e5m2": (0.5, 0.1)}
NARROWEST = [("f8E5M2", "f8e5m2"), ("f8E4M3FN", "f8e4m3fn"), ("bf16", "bf16"), ("f16", "f16"), ("f32", "f32"), ("f64", "f64")]


class Comparison:
    def __init__(self, program, folder, seconds):
        self.program, self.folder = program, pathlib.Path(folder)
        self.begin, self.seconds = time.monotonic(), seconds
        self.file = open(self.folder / "launches", "w")
        self.files = 0

    def launch(self, kernel, x, y, z, *ignored):
        grid, args = [int(x), int(y), int(z)], ignored[6:]
        if not all(grid):
            return
        recorder = LaunchRecorder()
        values, _ = arguments.flatten(kernel, args, recorder, 0)
        with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
            entry = self._compared(kernel, grid, args, values, recorder.buffers)
        print(json.dumps(entry), file=self.file, flush=True)

    def _compared(self, kernel, grid, args, values, buffers):
        entry = {"kernel": kernel.name, "text": hashlib.sha256(kernel.asm["ttir"].encode()).hexdigest()[:12], "grid": grid}
        text = re.sub(r", inputPrecision = tf32\b", "", kernel.asm["ttir"])  # Triton's interpreter has float32 products only
        types = [torch.uint8 if t is None else t.dtype for t in buffers.tensors]
        before = [storage_bytes(s) for s in buffers.storages]
        begin = time.monotonic()
        try:
            try:
                some = self._theirs(kernel, grid, args, buffers)
            except triton_reference.Waits:
                _fill_all(buffers.storages, before)
                entry["reference_waits"] = True
                some = self._theirs(kernel, grid, args, buffers, backwards=True)
        except triton_reference.Fault as fault:
            entry["reference_fault"] = fault.reason
            some = []
        except Exception as error:
            entry["reference_error"] = f"{type(error).__name__}: {str(error)[:300]}"
            (self.folder / "reference_error").write_text(traceback.format_exc())
            some = []
        entry["reference_seconds"] = round(time.monotonic() - begin, 2)
        expected = [storage_bytes(s) for s in buffers.storages]
        if some != []:
            report, found = self._ours(text, values, grid, buffers, before, some)
            entry.update({k: report[k] for k in ("findings", "unsupported", "seconds", "timed_out")})
            entry["compared"] = len(some) if some is not None else math.prod(grid)
            entry["different"] = differences(text, types, expected, found, before)
            if any(f.startswith("race") for f in entry["findings"]):
                # Does the order of the programs show in Triton's interpreter too?
                _fill_all(buffers.storages, before)
                self._theirs(kernel, grid, args, buffers, backwards=True)
                entry["reference_order_matters"] = bool(
                    differences(text, types, expected, [storage_bytes(s) for s in buffers.storages], before))
                _fill_all(buffers.storages, expected)
        if some is not None:
            # The program goes on with what the whole grid gives.
            report, found = self._ours(text, values, grid, buffers, before, None)
            entry.setdefault("findings", report["findings"])
            entry.setdefault("unsupported", report["unsupported"])
            _fill_all(buffers.storages, found)
        return entry

    def _theirs(self, kernel, grid, args, buffers, backwards=False):
        late = time.monotonic() - self.begin > self.seconds / 2
        memory = [(s.data_ptr(), s.nbytes()) for s in buffers.storages]
        return triton_reference.run(kernel.src.fn, kernel.src.signature, tuple(grid), args, memory,
                                    LATER_SECONDS if late else LAUNCH_SECONDS, backwards)

    def _ours(self, text, values, grid, buffers, contents, some):
        (self.folder / "kernel.ttir").write_text(text)
        described = []
        for number, data in enumerate(contents):
            path = self.folder / f"buffer{number}"
            path.write_bytes(data)
            described.append({"file": str(path), "address": buffers.storages[number].data_ptr()})
        launch = {"buffers": described, "args": values, "grid": grid, "seconds": 60}
        if some is not None:
            launch["sample"] = some
        (self.folder / "launch.json").write_text(json.dumps(launch))
        ran = subprocess.run([self.program, self.folder / "kernel.ttir", self.folder / "launch.json"], capture_output=True, text=True)
        if ran.returncode:
            return {"findings": [], "unsupported": f"run_launch: {ran.stderr[:500]} ({ran.returncode})", "seconds": 0, "timed_out": False}, contents
        return json.loads(ran.stdout), [(self.folder / f"buffer{n}").read_bytes() for n in range(len(contents))]


def _fill_all(storages, contents):
    for storage, data in zip(storages, contents):
        if data:
            torch.empty(0, dtype=torch.uint8).set_(storage).copy_(torch.frombuffer(bytearray(data), dtype=torch.uint8))


def _typed(data, dtype):
    with torch._C.DisableTorchFunction():
        whole = len(data) - len(data) % dtype.itemsize
        return torch.frombuffer(bytearray(data[:whole]), dtype=torch.uint8).view(dtype)


def differences(text, types, expected, found, before):
    """Of all buffers. What cancels leaves rounding errors of the terms: `noise` is what the inputs' sizes explain."""
    sizes = [_typed(data, dtype).double().abs().nan_to_num(0, 0, 0).median() for data, dtype in zip(before, types)
             if dtype.is_floating_point and len(data) >= dtype.itemsize]
    noise, out = max(sizes, default=torch.zeros(())).item() * 2**-20, []
    for number, dtype in enumerate(types):
        if expected[number] != found[number]:
            out.append(difference(number, text, noise, *(_typed(data[number], dtype) for data in (expected, found, before))))
    return [d for d in out if d]


def difference(number, text, noise, expected, found, before):
    """What tells the two apart beyond rounding, in words; None where nothing does. Sums in another order differ by rounding errors
    of their terms, which cancellation makes large beside a single element: so each element is held against the root mean
    square of what the kernel wrote as well, and all together against a narrower bound."""
    with torch._C.DisableTorchFunction():
        error = torch.zeros(())
        if not expected.is_floating_point():
            wrong = expected != found
        else:
            kinds = {name for mark, name in NARROWEST if re.search(rf"\b{mark}\b|x{mark}\b", text)}
            one, all_ = (max(t) for t in zip(*(TOLERANCE[k] for k in kinds | {DTYPES[expected.dtype]})))
            a, b, was = expected.double(), found.double(), before.double()
            same = (a == b) | (a.isnan() & b.isnan()) | ((a - b).abs() <= noise)
            changed = (a != was) & a.isfinite()
            if (~same & ~changed & a.isfinite()).any():  # a second launch that writes the same again
                changed = a.isfinite()
            size = a[changed].norm()
            scale = size / max(1, int(changed.sum())) ** 0.5
            wrong = ~same & ~((a - b).abs() <= one * torch.maximum(a.abs(), scale))
            error = (a - b)[~same & a.isfinite()].norm() / size.clamp(min=1e-300)
            if not wrong.any() and error > all_:
                wrong = ~same
        count = int(wrong.sum())
        if not count:
            return None
        first = int(wrong.nonzero()[0])
        worst = (expected.double() - found.double())[wrong].abs().max().item()
        return {"buffer": number, "dtype": DTYPES[expected.dtype], "elements": count, "of": expected.numel(), "first": first,
                "expected": expected[first].item(), "found": found[first].item(), "worst": worst, "relative": error.item()}


def main():
    path, program, folder, seconds = sys.argv[1:]
    comparison = Comparison(program, folder, float(seconds))
    outcome = {"end": "finished"}
    source = pathlib.Path(path).read_text()
    current.start(LaunchRecorder(), GPUTarget("cuda", 90, 32))
    arguments.fake = types.SimpleNamespace(BASE=0, SPAN=1 << 64)
    driver.fake = types.SimpleNamespace(triton_properties=cuda_module.triton_properties)
    kernels.install()
    triton_reference.install()
    cpu_as_cuda.install()
    kernels.RecordedKernel.run = lambda kernel, *rest: comparison.launch(kernel, *rest)
    torch.set_num_threads(2)
    torch.manual_seed(0)
    try:
        with cpu_as_cuda.active(device_memory.Watcher()):
            Program(source, path, "__main__").run()
    except BaseException as error:  # noqa: BLE001
        outcome = {"end": f"{type(error).__name__}: {str(error)[:300]}"}
        (comparison.folder / "error").write_text(traceback.format_exc())
    (comparison.folder / "outcome.json").write_text(json.dumps(outcome))
    os._exit(0)


if __name__ == "__main__":
    main()
