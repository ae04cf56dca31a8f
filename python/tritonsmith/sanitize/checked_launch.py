"""Launches of a script, run in the interpreter on the script's own tensors."""

import operator
import os
import sys
import sysconfig
import threading
import time
import types

import torch
import triton
import tritonsmith
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import get_jit_fn_file_line

from tritonsmith import arguments, cpu_as_cuda, cuda_module, current, driver, kernels
from tritonsmith.sanitize.checked_memory import CheckedMemory, describe
from tritonsmith.launch_buffers import LaunchRecorder
from tritonsmith.values import tensors_in

TUNING_SECONDS = 10  # of processor time for the configurations of one autotuned call


class Enough(BaseException):
    """As many findings as were asked for. Not an Exception, so that the script does not go on."""


class Checker:
    """@param only: names of kernels to check; empty: all  @param most: findings after which the script ends; 0: any number"""

    def __init__(self, interpreter, only=(), most=0, seconds=120):
        self.interpreter, self.only, self.most, self.seconds = interpreter, set(only), most, seconds
        self.memory = CheckedMemory(interpreter, host_site, self._host_read)
        self.launches, self.kernels = 0, set()
        self._numbers = {}
        self._config, self._tuning = "", False
        self._lock = threading.RLock()

    def install(self, target):
        """For the rest of the process."""
        current.start(LaunchRecorder(), target)
        arguments.fake = types.SimpleNamespace(BASE=1 << 32, SPAN=1 << 63)
        driver.fake = types.SimpleNamespace(triton_properties=cuda_module.triton_properties)
        kernels.install()
        launch = cpu_as_cuda.with_function_mode(self.launch)  # also where an operator of the script's own is the caller
        kernels.RecordedKernel.run = lambda kernel, *rest: launch(kernel, *rest)
        checker, original_run, original_bench = self, Autotuner.run, Autotuner._bench

        def run(tuner, *args, **kwargs):
            tuner.tritonsmith_spent = tuner.tritonsmith_skipped = 0
            try:
                return original_run(tuner, *args, **kwargs)
            finally:
                if tuner.tritonsmith_skipped:
                    checker._say_skipped(tuner)

        def bench(tuner, *args, config, **meta):
            if tuner.tritonsmith_spent > TUNING_SECONDS:
                tuner.tritonsmith_skipped += 1
                return [float("inf")] * 3
            begin = time.process_time()
            try:
                return checker._tuned(config, args, lambda: original_bench(tuner, *args, config=config, **meta))
            finally:
                tuner.tritonsmith_spent += time.process_time() - begin

        Autotuner.run, Autotuner._bench = run, bench

    def _tuned(self, config, args, bench):
        """One configuration. What it wrote counts as unwritten for the next, so that each must write all."""
        takes_back = []
        with torch._C.DisableTorchFunction():
            for tensor in tensors_in(args):
                watched = self.memory.watched(tensor)
                if watched is not None and watched.unwritten:
                    watched.handle(tensor.untyped_storage())
                    takes_back.append(watched.snapshot())
        self._config, self._tuning = str(config), True
        try:
            return bench()
        finally:
            self._config, self._tuning = "", False
            with torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch():
                for take_back in takes_back:
                    take_back()

    def _say_skipped(self, tuner):
        checked = len(tuner.configs_timings) - tuner.tritonsmith_skipped
        sys.stderr.write(f"tritonsmith: of {tuner.base_fn.__name__}'s {len(tuner.configs_timings)} configurations {checked} were checked"
                         f" ({TUNING_SECONDS} s of processor time)\n")

    def launch(self, kernel, x, y, z, *rest):
        """In place of RecordedKernel.run."""
        grid, args = [operator.index(size) for size in (x, y, z)], rest[6:]
        if any(size < 0 for size in grid):
            raise RuntimeError(f"Triton Error [CUDA]: invalid argument (kernel {kernel.name} on the grid {tuple(grid)})")
        if not all(grid):
            return
        recorder = LaunchRecorder(self.memory.addressed_storages)
        values, _ = arguments.flatten(kernel, args, recorder, 0)
        with self._lock:
            self._launch(kernel, grid, values, recorder.buffers)

    def _launch(self, kernel, grid, values, buffers):
        file, line = host_site()
        self.launches += 1
        definition = get_jit_fn_file_line(kernel.src.fn)
        self.kernels.add((kernel.name, *definition))
        number = self._number(kernel, definition, (file, line))
        if number is None:
            return
        with torch._C.DisableTorchFunction():
            handles = [self._handle(storage, tensor) for storage, tensor in zip(buffers.storages, buffers.tensors)]
            addressed = self.memory.addressed_storages() if _makes_pointers(kernel.asm["ttir"]) else []
            reachable = [self.memory.of_storage(s).handle(s) for s in addressed]
        request = {"kernel": number, "grid": grid, "args": values, "buffers": handles, "reachable": reachable, "launch": self.launches,
                   "checks": not self.only or kernel.src.fn.__name__ in self.only or kernel.name in self.only,
                   "num_warps": kernel.metadata.num_warps, "config": self._config, "tuning": self._tuning, "host_file": file, "host_line": line}
        progress = _Progress(kernel.name, self.launches, grid)
        try:
            report = self.interpreter.launch(request, self.seconds, progress.show)
        finally:
            progress.clear()
        if report["programs"] < grid[0] * grid[1] * grid[2]:
            # What it would have written is not known: nothing is said of it later.
            for storage in (*buffers.storages, *addressed):
                self.memory.exposed_storage(storage)
        for text in report["prints"]:
            print(text, flush=True)
        self._stop_if_enough()

    def _handle(self, storage, tensor):
        if storage.device.type != "cpu":
            raise RuntimeError("a tensor lies on a real GPU: hide it with CUDA_VISIBLE_DEVICES=")
        handle = self.memory.of_storage(storage).handle(storage)
        self.interpreter.name(handle, describe(tensor) if tensor is not None else "memory named by its address")
        return handle

    def _number(self, kernel, definition, site):
        text = kernel.asm["ttir"]
        if text not in self._numbers:
            try:
                self._numbers[text] = self.interpreter.kernel(kernel.name, *definition, text)
            except RuntimeError as error:
                self._numbers[text] = None
                self.interpreter.note(kind="unchecked", reason="invalid_ttir", message=str(error), kernel=kernel.name, launch=self.launches,
                                      file=definition[0], line=definition[1])
        return self._numbers[text]

    def _host_read(self, message, watched):
        file, line = host_site()
        if watched.made[1]:
            message += f" (made at {os.path.basename(watched.made[0])}:{watched.made[1]})"
        self.interpreter.note(kind="warning", reason="uninitialised_output", message=message, file=file, line=line)

    def _stop_if_enough(self):
        if self.most and self.interpreter.count("finding") >= self.most:
            raise Enough


def _makes_pointers(text):
    """Whether a kernel's pointers may come from anywhere."""
    return "tt.int_to_ptr" in text or "!tt.ptr<!tt.ptr" in text


class _Progress:
    """A line on a terminal for a launch that takes long."""

    AFTER = 2  # seconds

    def __init__(self, kernel, launch, grid):
        self._text, self._programs = f"launch {launch} of {kernel}", grid[0] * grid[1] * grid[2]
        self._begin, self._shown = time.monotonic(), False

    def show(self, done):
        if time.monotonic() - self._begin > self.AFTER and sys.stderr.isatty():
            self._shown = True
            sys.stderr.write(f"\r{self._text}: {done} of {self._programs} programs\033[K")
            sys.stderr.flush()

    def clear(self):
        if self._shown:
            sys.stderr.write("\r\033[K")


_LIBRARIES = tuple(os.path.dirname(os.path.abspath(place)) + os.sep for place in (torch.__file__, triton.__file__, tritonsmith.__file__))
_STANDARD = sysconfig.get_path("stdlib") + os.sep


def host_site():
    """(file, line) of the innermost frame that is neither Python's, PyTorch's, Triton's nor ours."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        standard = file.startswith(_STANDARD) and "site-packages" not in file
        if not (file.startswith(_LIBRARIES) or file.startswith("<") or standard):
            return os.path.abspath(file), frame.f_lineno
        frame = frame.f_back
    return "", 0
