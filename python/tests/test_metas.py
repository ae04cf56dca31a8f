"""PyTorch's meta kernels are loaded by what needs them (metas.py), and products need none (products.py)."""

import sys
import unittest

import torch
from zygote import PACKAGE, Zygote

sys.path[:0] = [PACKAGE]
from tritonsmith.trace import products  # noqa: E402

PROGRAM = """
import sys
import torch
import torch.nn.functional as F

class Model(torch.nn.Module):
    def forward(self, x):
        {body}
        print("loaded", "torch._refs" in sys.modules, file=sys.stderr)
        return {result}

def get_inputs(): return [torch.rand(4, 8, 8)]
"""


class Loading(unittest.TestCase):
    def tracer(self):
        zygote = Zygote()
        self.addCleanup(zygote.close)
        return zygote

    def trace(self, zygote, body, result="x"):
        answer = zygote.trace(PROGRAM.format(body=body, result=result), "reference")
        self.assertIn("plan", answer, answer.get("error"))
        return answer["plan"], "loaded True" in zygote.output

    def test_only_what_needs_them_loads_them(self):
        zygote = self.tracer()
        for result in ("F.softmax(x, -1).sum(1)", "x @ x", "F.linear(x, x[0], x[0, 0])", "torch.baddbmm(x, x, x, beta=0.5)"):
            with self.subTest(result):
                self.assertFalse(self.trace(zygote, "pass", result)[1])

    def test_what_needs_them_finds_them(self):
        for body in ("m = torch.empty(4, 8, device='meta').sin().argmax(1); assert m.shape == (4,)",
                     "assert torch.ops.prims.sin.default is not None",
                     "assert torch._refs.softmax is not None and torch._decomp.decomposition_table",
                     "import torch._refs.linalg as m; assert m.norm and m.__spec__.origin == m.__file__",
                     "from torch._subclasses.fake_tensor import FakeTensorMode\n"
                     "        with FakeTensorMode(): assert F.conv1d(torch.empty(2, 3, 8), torch.empty(5, 3, 3)).shape == (2, 5, 6)"):
            with self.subTest(body):
                self.assertTrue(self.trace(self.tracer(), body)[1])

    def test_what_one_program_needed_the_next_one_has(self):
        zygote, convolution = self.tracer(), "F.conv1d(x, x[:3, :, :3])"
        first, loaded = self.trace(zygote, "pass", convolution)
        self.assertFalse(loaded, "when the first program began")
        for _ in range(20):  # the tracer loads them while the first program goes on
            plan, loaded = self.trace(zygote, "pass", convolution)
            self.assertEqual([s.get("op") for s in plan["steps"]], [s.get("op") for s in first["steps"]])
            if loaded:
                return
        self.fail("the tracer never loaded them")


class Products(unittest.TestCase):
    SHAPES = {"mm": [((3, 4), (4, 5)), ((0, 4), (4, 5)), ((3, 0), (0, 5))],
              "bmm": [((2, 3, 4), (2, 4, 5)), ((0, 3, 4), (0, 4, 5))],
              "addmm": [((3, 5), (3, 4), (4, 5)), ((5,), (3, 4), (4, 5)), ((), (3, 4), (4, 5)), ((3, 1), (3, 4), (4, 5))],
              "baddbmm": [((2, 3, 5), (2, 3, 4), (2, 4, 5)), ((5,), (2, 3, 4), (2, 4, 5)), ((1, 3, 1), (2, 3, 4), (2, 4, 5))]}

    def test_as_pytorch_shapes_them(self):
        for name, cases in self.SHAPES.items():
            for shapes in cases:
                for dtype in (torch.float32, torch.bfloat16):
                    args = [torch.ones(shape, dtype=dtype) for shape in shapes]
                    expected = getattr(torch, name)(*args)
                    got = products.execute(f"aten::{name}", args, {})
                    with self.subTest(name=name, shapes=shapes):
                        self.assertEqual((got.shape, got.stride(), got.dtype), (expected.shape, expected.stride(), expected.dtype))

    def test_leaves_what_does_not_fit_to_pytorch(self):
        ones = torch.ones
        for name, args in (("mm", [ones(3, 4), ones(5, 4)]), ("mm", [ones(4), ones(4, 5)]), ("mm", [ones(3, 4), ones(4, 5).half()]),
                           ("bmm", [ones(2, 3, 4), ones(3, 4, 5)]), ("addmm", [ones(2, 5), ones(3, 4), ones(4, 5)]),
                           ("addmm", [ones(5).half(), ones(3, 4), ones(4, 5)]), ("addmm", [ones(1, 3, 5), ones(3, 4), ones(4, 5)]),
                           ("mm", [ones(3, 4).to_sparse(), ones(4, 5)]), ("mv", [ones(3, 4), ones(4)])):
            with self.subTest(name=name, args=args):
                self.assertIsNone(products.execute(f"aten::{name}", args, {}))
        self.assertIsNone(products.execute("aten::mm", [ones(3, 4), ones(4, 5)], {"out_dtype": torch.float64}))


if __name__ == "__main__":
    unittest.main()
