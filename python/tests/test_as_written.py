"""A candidate's file, run as it is written, on the stand-in for a GPU: what it is given, and what comes back."""

import atexit
import os
import unittest
from pathlib import Path

import torch
from as_written_client import AsWritten
from tracing import COPY, IMPORTS, line_of, module
from torch.nn import functional as F
from zygote import tensor

ROOT = Path(os.environ.get("TRITONSMITH_SOURCE_DIR") or Path(__file__).resolve().parents[2])
_process = None


def process():
    global _process
    if _process is None:
        _process = AsWritten()
        atexit.register(_process.close)
    return _process


class AsWrittenTest(unittest.TestCase):
    def answer(self, source, inputs, *args, **rest):
        answer = process().run(source, inputs, *args, **rest)
        self.assertIsNotNone(answer, process().output)
        return answer

    def tensors(self, source, inputs, *args, **rest):
        answer = self.answer(source, inputs, *args, **rest)
        self.assertTrue(answer["ok"], answer.get("traceback"))
        return answer["tensors"]

    def example(self, name):
        return (ROOT / "examples/kernels" / f"{name}.py").read_text()

    # --- values

    def test_examples_give_what_pytorch_gives(self):
        torch.manual_seed(1)
        x, bias = torch.randn(5, 300), torch.randn(300)
        cases = {"softmax": ([x], {}, [], torch.softmax(x, 1)),
                 "bias_gelu": ([x], {"bias": bias}, [300], F.gelu(x + bias)),
                 "row_reduction_autotuned": ([x], {}, [], x.sum(1))}
        for name, (inputs, weights, init_inputs, expected) in cases.items():
            with self.subTest(name):
                found = self.tensors(self.example(name), inputs, weights, init_inputs=init_inputs)
                torch.testing.assert_close(found["output/0"].reshape(expected.shape), expected, rtol=1e-4, atol=1e-4)

    def test_weights_are_there_before_others_are_derived_from_them(self):
        source = module("return x @ self.turned + self.sum", init="self.linear = nn.Linear(8, 3)\n"
                        "self.turned = self.linear.weight.t().contiguous()\nself.sum = self.linear.bias.detach() * 2")
        x, weight, bias = torch.randn(4, 8), torch.randn(3, 8), torch.randn(3)
        answer = self.answer(source, [x], {"w": weight, "b": bias}, {"linear.weight": "w", "linear.bias": "b"})
        self.assertEqual((answer["unlinked_draws"], answer["derived"]), (0, False))
        torch.testing.assert_close(answer["tensors"]["output/0"], x @ weight.t() + bias * 2)

    def test_a_weight_scaled_after_its_draw_and_one_from_the_host(self):
        init = "self.a = nn.Parameter(torch.randn(8) * 0.1 + 1)\nself.b = nn.Parameter(torch.tensor([1.0] * 8, device='cpu'))\nself.c = self.a * 3"
        a, b, x = torch.randn(8), torch.randn(8), torch.zeros(4, 8)
        found = self.tensors(module("return x + self.a + self.b + self.c", init=init), [x], {"a": a, "b": b})
        torch.testing.assert_close(found["output/0"], (a * 4 + b).expand(4, 8))

    def test_values_are_cast_to_the_weights_dtype(self):
        init = "self.w = nn.Linear(8, 8, bias=False).half()"
        w = torch.randn(8, 8)
        found = self.tensors(module("return x + self.w.weight.float()", init=init), [torch.zeros(8, 8)], {"w.weight": w})
        self.assertTrue(torch.equal(found["output/0"], w.half().float()))

    def test_draws_that_nothing_replaces_are_counted(self):
        init = "self.w = nn.Parameter(torch.randn(8))\nself.noise = torch.rand(8)\nself.more = self.noise + torch.rand(8)"
        answer = self.answer(module("return x + self.w + self.noise + self.more", init=init), [torch.zeros(4, 8)], {"w": torch.ones(8)})
        self.assertEqual(answer["unlinked_draws"], 2)
        self.assertEqual(self.answer(module("return x + self.w", init="self.w = nn.Parameter(torch.randn(8))"), [torch.zeros(4, 8)])["unlinked_draws"], 1)

    def test_a_constructor_that_is_another_one_the_second_time_is_reported(self):
        head = IMPORTS + "times = []\n"
        init = "times.append(1)\nself.w = nn.Parameter(torch.randn(8) if len(times) == 1 else torch.zeros(8))"
        answer = self.answer(module("return x + self.w", head, init), [torch.zeros(4, 8)], {"w": torch.ones(8)})
        self.assertTrue(answer["derived"])
        self.assertTrue(torch.equal(answer["tensors"]["output/0"], torch.ones(4, 8)))

    def test_every_type_of_element_passes(self):
        for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2, torch.int64, torch.int32, torch.int16,
                      torch.int8, torch.uint8, torch.bool, torch.complex64):
            with self.subTest(dtype):
                x = torch.arange(32).view(4, 8).remainder(5).to(dtype)
                found = self.tensors(module("return x, x.clone()"), [x])
                self.assertTrue(all(torch.equal(found[name].view(torch.uint8), x.view(torch.uint8)) for name in ("output/0", "output/1")))
                self.assertNotIn("input/0", found)

    def test_tensors_for_the_constructor_have_no_values(self):
        source = IMPORTS + "class ModelNew(nn.Module):\n    def __init__(self, t):\n        super().__init__()\n        self.t = t\n    def forward(self, x):\n        return x + self.t\n"
        answer = self.answer(source, [torch.ones(4, 8)], init_inputs=[tensor([8])])
        self.assertEqual((answer["ok"], answer["derived"]), (True, True))

    def test_structures_views_and_integers(self):
        source = IMPORTS + "class ModelNew(nn.Module):\n    def forward(self, x, n, i):\n        return {'a': [x.t(), n], 'b': (i + n, x[:0])}\n"
        x, i = torch.randn(4, 8), torch.arange(5)
        found = self.tensors(source, [x, 3, i])
        self.assertTrue(torch.equal(found["output/0"], x.t()) and torch.equal(found["output/1"], i + 3))
        self.assertEqual(list(found["output/2"].shape), [0, 8])

    def test_inputs_that_are_changed_come_back(self):
        source = module("copy_kernel[(1,)](y := torch.ones(32, device='cuda'), x, 32, BLOCK=32)\nreturn y", COPY)
        found = self.tensors(source, [torch.zeros(4, 8)])
        self.assertTrue(torch.equal(found["input/0"], torch.ones(4, 8)))
        self.assertNotIn("input/0", self.tensors(module("return x + 1"), [torch.zeros(4, 8)]))

    def test_inputs_may_lie_apart_in_one_buffer(self):
        given = [{"tensor": {"buffer": 0, "dtype": "f32", "shape": [3, 2], "stride": [1, 4], "offset": 2}}]
        x = torch.randn(3, 2)
        source = module("assert x.stride() == (1, 4) and x.storage_offset() == 2\nreturn x * 2")
        self.assertTrue(torch.equal(self.tensors(source, [x], inputs_described=given)["output/0"], x * 2))

    def test_nothing_slow_is_imported_for_it(self):
        source = module("import sys\nassert 'torch._dynamo' not in sys.modules and 'torch._inductor' not in sys.modules\nreturn self.l(x)",
                        init="self.l = nn.Linear(8, 8)")
        self.tensors(source, [torch.zeros(4, 8)])

    # --- what goes wrong

    def failure(self, source, **rest):
        answer = self.answer(source, [torch.zeros(4, 8)], **rest)
        self.assertFalse(answer["ok"])
        return answer

    def test_a_file_that_does_another_thing_when_it_is_run(self):
        # To the tracer, values cannot be read; here they can.
        source = module("try:\n    wrong = bool(x.sum() == 0)\nexcept BaseException:\n    wrong = False\nreturn x + (1 if wrong else 0)")
        self.assertTrue(torch.equal(self.tensors(source, [torch.zeros(4, 8)])["output/0"], torch.ones(4, 8)))

    def test_errors_have_reason_and_line(self):
        source = module("y = x.view(5, 5)\nreturn y")
        answer = self.failure(source)
        self.assertEqual((answer["reason"], answer["type"], answer["line"]), ("run_error", "RuntimeError", line_of(source, "view(5, 5)")))
        self.assertEqual(self.failure("def f(:\n")["reason"], "syntax_error")
        self.assertEqual(self.failure("x = 1\n")["reason"], "entry_missing")
        self.assertEqual(self.failure(module("return x"), weights={"w": torch.ones(2)})["reason"], "weights_differ")
        self.assertEqual(self.failure(module("return x.expand(100, 4, 8)"), room=1024)["reason"], "outputs_differ")

    def test_the_child_is_confined(self):
        source = module("open('/etc/passwd')\nreturn x")
        self.assertEqual(self.failure(source)["type"], "PermissionError")

    def test_a_child_that_dies_leaves_the_server_alive(self):
        self.assertIsNone(process().run(module("import ctypes\nctypes.string_at(0)\nreturn x"), [torch.zeros(4, 8)]))
        self.assertNotEqual(process().last["signal"], 0)
        self.tensors(module("return x"), [torch.zeros(4, 8)])

    def test_a_gpu_that_is_not_there_is_reported(self):
        server = AsWritten("cuda:0", CUDA_VISIBLE_DEVICES="")
        try:
            answer = server.run(module("return x"), [torch.zeros(4, 8)])
        finally:
            server.close()
        self.assertIsNotNone(answer, server.output)
        self.assertEqual((answer["ok"], answer["reason"]), (False, "no_device"))


if __name__ == "__main__":
    unittest.main()
