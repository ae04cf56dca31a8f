"""Checks the honest examples without the judge: each kernel runs in Triton's own interpreter on small inputs, of several
shapes and with weights redrawn, and is compared with its task in PyTorch; then it is compiled for sm_90. Needs no GPU.

usage: check_with_triton_interpreter.py [--compile] [kernels/NAME ...]      (default: interpret, every file of examples/kernels)
"""
import argparse
import importlib.util
import os
import re
import sys
import time
import types
from pathlib import Path

COMPILE = "--compile" in sys.argv
if not COMPILE:
    os.environ["TRITON_INTERPRET"] = "1"  # read when a kernel is declared, so before triton is imported

import numpy
import torch
import triton
import triton.language as tl
import triton.language.extra as extra
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

if not COMPILE and [int(part) for part in numpy.__version__.split(".")[:2]] >= [2, 4]:
    print("skipped: Triton's interpreter does not work with numpy", numpy.__version__, "(install numpy<2.4)")
    sys.exit(77)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

# Per task: sizes that replace the module's constants. The second set has no power of two and no multiple of a block.
SIZES = {
    "elementwise_chain": [dict(ROWS=64, COLS=128), dict(ROWS=37, COLS=101)],
    "bias_gelu": [dict(TOKENS=64, FEATURES=512), dict(TOKENS=13, FEATURES=301)],
    "softmax": [dict(ROWS=16, COLS=256), dict(ROWS=7, COLS=333)],
    "layernorm": [dict(BATCH=2, SEQUENCE=4, FEATURES=1024), dict(BATCH=3, SEQUENCE=5, FEATURES=1100)],
    "rmsnorm": [dict(TOKENS=32, FEATURES=256), dict(TOKENS=21, FEATURES=77)],
    "matmul": [dict(M=128, N=128, K=64), dict(M=100, N=76, K=44)],
    "matmul_epilogue": [dict(BATCH=64, IN_FEATURES=64, OUT_FEATURES=128), dict(BATCH=37, IN_FEATURES=45, OUT_FEATURES=71)],
    "row_reduction": [dict(ROWS=32, COLS=2048), dict(ROWS=13, COLS=3001)],
    "max_pool": [dict(BATCH=2, CHANNELS=3, HEIGHT=32, WIDTH=32), dict(BATCH=1, CHANNELS=5, HEIGHT=29, WIDTH=43)],
    "conv2d": [dict(BATCH=1, IN_CHANNELS=32, OUT_CHANNELS=32, HEIGHT=16, WIDTH=16),
               dict(BATCH=2, IN_CHANNELS=5, OUT_CHANNELS=7, HEIGHT=9, WIDTH=11)],
    "cross_entropy": [dict(ROWS=16, CLASSES=1024), dict(ROWS=11, CLASSES=1201)],
    "attention": [dict(BATCH=1, HEADS=2, SEQUENCE=128, HEAD_DIM=32), dict(BATCH=2, HEADS=1, SEQUENCE=77, HEAD_DIM=16)],
}


class NoDeviceDriver(DriverBase):
    """Lets kernels be compiled for sm_90 and "launched" without a device; autotuning runs every configuration once."""

    class Utils:
        def load_binary(self, name, kernel, shared, device):
            return 1, 1, 32, 0, 1024

        def get_device_properties(self, device):
            return dict(max_shared_mem=232448, multiprocessor_count=132, warpSize=32, max_num_regs=65536)

    class Launcher:
        compiled = []

        def __init__(self, source, metadata):
            NoDeviceDriver.Launcher.compiled.append(metadata)

        def __call__(self, *args, **kwargs):
            pass

    def __init__(self):
        self.utils, self.launcher_cls = self.Utils(), self.Launcher
        self.get_current_device = self.get_current_stream = lambda *_: 0
        self.set_current_device = lambda _: None
        self.get_device_capability = lambda *_: (9, 0)

    is_active = classmethod(lambda cls: True)
    map_python_to_cpp_type = lambda self, ty: ty
    get_current_target = lambda self: GPUTarget("cuda", 90, 32)
    get_active_torch_device = lambda self: torch.device("cpu")
    get_benchmarker = lambda self: lambda call, quantiles=None, **_: (call(), [1.0] * len(quantiles or [1]))[1]


def interpret_libdevice():
    """Triton's interpreter has no libdevice: the functions that the examples use are supplied from the language itself."""
    extra.libdevice = types.SimpleNamespace(rsqrt=lambda x: tl.rsqrt(x))


def load(path, constants):
    """The module of a file with module-level integers replaced, as `--shrink` does."""
    source = path.read_text()
    for name, value in constants.items():
        source, replaced = re.subn(rf"(?m)^{name} = \d+$", f"{name} = {value}", source)
        assert replaced == 1, f"{path.name} has no constant {name}"
    # Triton reads a kernel's source from its file.
    folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"tritonsmith-examples-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    copy = folder / path.name
    copy.write_text(source)
    spec = importlib.util.spec_from_file_location(path.stem, copy)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    copy.unlink()
    folder.rmdir()
    return module


def check(path, constants):
    task_name = re.match(r"# task: (\w+)", path.read_text()).group(1)
    task = load(EXAMPLES / "tasks" / f"{task_name}.py", constants)
    torch.manual_seed(0)
    reference = task.Model(*task.get_init_inputs())
    for parameter in reference.parameters():
        torch.nn.init.uniform_(parameter, -1.0, 1.0)
    candidate = load(path, {}).ModelNew(*task.get_init_inputs())
    candidate.load_state_dict(reference.state_dict())
    inputs = task.get_inputs()
    with torch.no_grad():
        found = candidate(*[x.clone() for x in inputs])
        if COMPILE:
            return
        expected = reference(*inputs)
    assert found.shape == expected.shape and found.dtype == expected.dtype, (found.shape, expected.shape)
    tolerance = 5e-3 if expected.dtype == torch.float16 else 2e-5
    torch.testing.assert_close(found, expected, rtol=tolerance, atol=tolerance * expected.abs().max().item())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compile", action="store_true", help="compile for sm_90 instead of interpreting")
    parser.add_argument("names", nargs="*", help="as in kernels/softmax")
    options = parser.parse_args()
    triton.runtime.driver.set_active(NoDeviceDriver())
    if not COMPILE:
        interpret_libdevice()
    files = [EXAMPLES / f"{name}.py" for name in options.names] or sorted((EXAMPLES / "kernels").glob("*.py"))
    failed = 0
    for path in files:
        task_name = re.match(r"# task: (\w+)", path.read_text()).group(1)
        for constants in [{}] if COMPILE else SIZES[task_name]:
            begin = time.time()
            try:
                check(path, constants)
                outcome = "ok"
            except Exception as error:  # every example is to be reported, whatever breaks
                outcome, failed = f"FAILED {type(error).__name__}: {error}", failed + 1
            sizes = " ".join(f"{k}={v}" for k, v in constants.items()) or "full size"
            kernels = "".join(f" {k.name}:shared={k.shared}" for k in NoDeviceDriver.Launcher.compiled)
            NoDeviceDriver.Launcher.compiled.clear()
            print(f"{path.stem:24} {sizes:48} {outcome} {time.time() - begin:.1f} s{kernels}", flush=True)
    sys.exit(1 if failed else 0)


main()
