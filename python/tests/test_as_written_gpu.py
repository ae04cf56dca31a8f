"""On a machine with a GPU: candidates' files run on it, sandboxed, as test_as_written.py runs them on the stand-in."""

import os
import unittest
from pathlib import Path

import torch
from as_written_client import AsWritten
from torch.nn import functional as F
from tracing import module

ROOT = Path(os.environ.get("TRITONSMITH_SOURCE_DIR") or Path(__file__).resolve().parents[2])


@unittest.skipUnless(torch.cuda.is_available(), "SKIPPED: this machine has no GPU; no file was run on one")
class AsWrittenOnThisGpu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = AsWritten("cuda:0")

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def tensors(self, source, inputs, *args, **rest):
        answer = self.server.run(source, inputs, *args, **rest)
        self.assertTrue(answer and answer["ok"], (self.server.greeting, self.server.last, self.server.output[-3000:], answer))
        return answer["tensors"]

    def test_examples_give_what_pytorch_gives(self):
        x, bias = torch.randn(5, 300), torch.randn(300)
        for name, weights, init_inputs, expected in [("softmax", {}, [], torch.softmax(x, 1)), ("bias_gelu", {"bias": bias}, [300], F.gelu(x + bias)),
                                                     ("row_reduction_autotuned", {}, [], x.sum(1))]:
            with self.subTest(name):
                source = (ROOT / "examples/kernels" / f"{name}.py").read_text()
                found = self.tensors(source, [x], weights, init_inputs=init_inputs)
                torch.testing.assert_close(found["output/0"].reshape(expected.shape), expected, rtol=1e-4, atol=1e-4)

    def test_weights_are_there_before_others_are_derived_from_them(self):
        source = module("return x @ self.turned", init="self.linear = nn.Linear(8, 3)\nself.turned = self.linear.weight.t().contiguous()")
        x, weight = torch.randn(4, 8), torch.randn(3, 8)
        found = self.tensors(source, [x], {"w": weight}, {"linear.weight": "w"})
        torch.testing.assert_close(found["output/0"], x @ weight.t(), rtol=1e-4, atol=1e-4)

    def test_the_device_that_a_fault_has_broken_serves_the_next(self):
        source = module("bad_kernel[(1,)](x, 1 << 44)\nreturn x",
                        "import torch\nimport triton\nimport triton.language as tl\nfrom torch import nn\n\n@triton.jit\ndef bad_kernel(x, n):\n    tl.store(x + n, 1.0)\n")
        answer = self.server.run(source, [torch.zeros(4, 8)])
        self.assertTrue(answer is None or (answer["ok"], answer["reason"]) == (False, "run_error"), answer)
        self.assertTrue(torch.equal(self.tensors(module("return x + 1"), [torch.zeros(4, 8)])["output/0"], torch.ones(4, 8)))


if __name__ == "__main__":
    unittest.main()
