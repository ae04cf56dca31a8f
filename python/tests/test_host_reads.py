"""What host code may know of the device, and what it must not."""

import unittest

from tracing import COPY, IMPORTS, TracingTest, line_of, module, steps, tensor

UNKNOWN = ["x.sum().item()", "bool((x > 0).all())", "x.tolist()", "x.cpu().numpy()", "x[x > 0]", "torch.nonzero(x)", "torch.unique(x)",
           "float(x[0, 0])", "torch.equal(x, x)", "x.masked_select(x > 1)", "str(x)", "torch.repeat_interleave(x[0], x[0].long())", "f'{x}'",
           "list(range(x[0, 0].long()))", "x.cpu().tolist()", "torch.allclose(x, x)"]


class HostReads(TracingTest):
    def test_unknown_values_are_refused_with_the_line(self):
        for expression in UNKNOWN:
            with self.subTest(expression):
                source = module(f"y = x + 1\nz = {expression}\nreturn y")
                error = self.error(source)
                self.assertEqual((error["reason"], error["line"]), ("host_read", line_of(source, "z = ")), error["message"])

    def test_a_swallowed_read_is_refused_all_the_same(self):
        source = module("try:\n    x.item()\nexcept BaseException:\n    pass\nreturn x + 1")
        self.assertEqual(self.error(source, inputs=[tensor([1])])["reason"], "host_read")

    def test_known_constants_are_read(self):
        plan = self.forward('''
            rates = [r.item() for r in torch.linspace(0, 1, 3, device=x.device)]
            order = torch.tensor([3, 1, 2], device=x.device).sort()[1].tolist()
            mask = torch.ones(4, 4, device=x.device).tril() > 0
            filled = torch.empty(2, device=x.device)
            filled.fill_(2.5)
            filled[1] += 1
            pairs = mask.nonzero().shape[0]
            return x * rates[1] + order[0] + pairs + filled[1].item() + int(filled.cpu().numpy()[0])''')
        last = [s["args"][1] for s in steps(plan, "aten") if s["op"] in ("aten::mul.Tensor", "aten::add.Tensor")]
        self.assertEqual(last, [0.5, 1, 10, 3.5, 2])

    def test_known_only_until_something_unknown_is_written(self):
        for write in ("y.copy_(x)", "y[0] = x[0]", "y.add_(x)", "y.uniform_()", "copy_kernel[(1,)](x, y, 32, BLOCK=32)"):
            with self.subTest(write):
                error = self.error(module(f"y = torch.zeros_like(x)\n{write}\nreturn y.sum().item() + x", COPY))
                self.assertEqual(error["reason"], "host_read")

    def test_uninitialised_memory_is_unknown(self):
        self.assertEqual(self.error(module("return x + torch.empty(1, device=x.device).item()"))["reason"], "host_read")

    def test_parameters_are_unknown_once_the_module_is_built(self):
        init = "self.w = nn.Parameter(torch.ones(1))\nself.scale = float(self.w)\nself.register_buffer('b', torch.full((1,), 3.0))"
        plan = self.forward("return x * self.b.item() * self.scale", init=init)
        self.assertEqual([s["args"][1] for s in steps(plan, "aten", "forward")], [3.0, 1.0])
        self.assertEqual(self.error(module("return x * self.w.item()", init=init))["reason"], "host_read")

    def test_random_values_are_unknown(self):
        self.assertEqual(self.error(module("return x", init="self.a = torch.rand(1).item()"))["reason"], "host_read")

    def test_masked_writes_do_not_read(self):
        plan = self.forward("y = x.clone()\ny[x > 0] = 0\nreturn y.masked_fill(x < 1, 2)")
        self.assertEqual([s["op"] for s in steps(plan, "aten")],
                         ["aten::clone", "aten::gt.Scalar", "aten::index_put_", "aten::lt.Scalar", "aten::masked_fill.Scalar"])

    def test_on_the_cpu_draws_and_inputs_are_unknown_too(self):
        task = IMPORTS + ("class Model(nn.Module):\n    def forward(self, x):\n        k = torch.arange(4).sum().item()\n        return x * {}\n"
                          "def get_inputs():\n    return [torch.rand(3)]\n")
        plan = self.plan(task.format("k"), kind="reference", device="cpu")
        self.assertEqual(steps(plan, "aten", "forward")[-1]["args"][1], 6)
        error = self.error(task.format("x.sum().item()"), kind="reference", device="cpu")
        self.assertEqual((error["reason"], error["line"]), ("host_read", 8))

    def test_masked_writes_are_the_same_on_the_cpu(self):
        task = IMPORTS + """class Model(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[x > 0.5] = 0
        return torch.index_put(y, (x < 0.1,), torch.zeros((), device=x.device))

def get_inputs():
    return [torch.rand(8)]
"""
        found = [[s["op"] for s in steps(self.plan(task, kind="reference", device=d), "aten", "forward")] for d in ("cuda", "cpu")]
        self.assertEqual(found[0], found[1])
        self.assertIn("aten::index_put_", found[0])

    def test_running_statistics_are_unknown_after_training(self):
        body = "y = self.m(x)\nreturn y * self.m.running_mean.sum().item()"
        self.assertEqual(self.error(module(body, init="self.m = nn.BatchNorm1d(8)"))["reason"], "host_read")
        plan = self.forward(body, init="self.m = nn.BatchNorm1d(8).eval()")
        self.assertEqual(steps(plan, "aten")[-1]["args"][1], 0.0)

    TASK = IMPORTS + """class {}(nn.Module):
    def forward(self, x, lengths):
        longest = {}
        return x[:longest] * 2

def get_inputs():
    return [torch.rand(8), torch.tensor([3, 5])]
"""

    def test_integer_inputs_that_the_reference_reads_are_told_to_candidates(self):
        for device in ("cuda", "cpu"):
            plan = self.plan(self.TASK.format("Model", "int(lengths.max().cpu())"), kind="reference", device=device)
            (read,) = steps(plan, "read")
            self.assertEqual((read["tensor"], read["values"], read["line"]), (plan["inputs"][1]["tensor"], [3, 5], 7))
            self.assertEqual(plan["output"]["tensor"]["shape"], [5])
        given = [tensor([8]), tensor([2], "i64", 1)]
        readable = [{"tensor": given[1]["tensor"], "values": [3, 5]}]
        candidate = self.TASK.format("ModelNew", "lengths.tolist()[1] + len(lengths.nonzero()) - 2")
        plan = self.plan(candidate, inputs=given, readable=readable)
        self.assertEqual([s["values"] for s in steps(plan, "read")], [[3, 5]])
        self.assertEqual(plan["output"]["tensor"]["shape"], [5])
        self.assertEqual(self.error(candidate, inputs=given)["reason"], "host_read")

    def test_reads_name_this_plan_s_buffers(self):
        """The reference may have made other buffers before its inputs: the request's numbers have gaps."""
        given = [tensor([8], buffer=0), tensor([2], "i64", 2)]
        readable = [{"tensor": given[1]["tensor"], "values": [3, 5]}]
        plan = self.plan(self.TASK.format("ModelNew", "lengths.tolist()[1]"), inputs=given, readable=readable)
        (read,) = steps(plan, "read")
        self.assertEqual(read["tensor"]["buffer"], 1)
        self.assertEqual(read["tensor"], plan["inputs"][1]["tensor"])

    def test_inputs_that_nobody_reads_are_not_revealed(self):
        plan = self.plan(self.TASK.format("Model", "3"), kind="reference")
        self.assertEqual(steps(plan, "read"), [])


if __name__ == "__main__":
    unittest.main()
