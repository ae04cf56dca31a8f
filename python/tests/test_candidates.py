"""How a candidate is built and called, and what its errors say."""

import unittest

from tracing import COPY, IMPORTS, TracingTest, buffer, line_of, module, operators, steps, tensor


class Candidates(TracingTest):
    def test_weights_have_their_qualified_names_and_the_buffers_of_init(self):
        init = "self.net = nn.Sequential(nn.Linear(8, 4), nn.BatchNorm1d(4))\nself.tied = self.net[0].weight"
        plan = self.forward("return self.net(x)", init=init)
        names = {w["name"]: w for w in plan["weights"]}
        self.assertEqual(set(names), {"tied", "net.0.weight", "net.0.bias", "net.1.weight", "net.1.bias", "net.1.running_mean",
                                      "net.1.running_var", "net.1.num_batches_tracked"})
        self.assertEqual(names["tied"]["tensor"], names["net.0.weight"]["tensor"])
        self.assertEqual((names["net.1.weight"]["parameter"], names["net.1.running_var"]["parameter"]), (True, False))
        made = {buffer(s["result"]) for s in steps(plan, "aten", "init")}
        self.assertLessEqual({w["tensor"]["buffer"] for w in plan["weights"]}, made)

    def test_inputs_have_the_given_shapes_strides_and_offsets(self):
        given = [{"tensor": {"buffer": 0, "dtype": "f16", "shape": [3, 2], "stride": [1, 4], "offset": 2}}, {"tuple": [5, tensor([2], "i64", 1)]},
                 {"tensor": {"buffer": 0, "dtype": "f16", "shape": [2], "stride": [1], "offset": 0}}]
        source = IMPORTS + "class ModelNew(nn.Module):\n    def forward(self, a, b, c):\n        assert a.stride() == (1, 4) and b[0] == 5\n        return a.sum() + b[1] + c\n"
        plan = self.plan(source, inputs=given)
        self.assertEqual(plan["inputs"], given)
        self.assertEqual([(b["kind"], b["bytes"]) for b in plan["buffers"][:2]], [("input", 18), ("input", 16)])

    def test_init_inputs_reach_the_constructor(self):
        source = IMPORTS + "class ModelNew(nn.Module):\n    def __init__(self, n, scale):\n        super().__init__()\n        self.l = nn.Linear(n, n)\n        self.scale = scale\n    def forward(self, x):\n        return self.l(x) * self.scale\n"
        plan = self.plan(source, init_inputs=[8, 2.5])
        self.assertEqual(steps(plan, "aten")[-1]["args"][1], 2.5)

    def test_dictionaries_among_results_are_in_the_order_of_their_keys(self):
        one = self.forward("return {'b': x, 'a': [x + 1, {2: x, 1: x + 2}]}")["output"]
        other = self.forward("return {'a': [x + 1, {1: x + 2, 2: x}], 'b': x}")["output"]
        self.assertEqual([key for key, _ in one["dict"]], ["a", "b"])
        self.assertEqual([key for key, _ in one["dict"][0][1][1]["dict"]], ["1", "2"])
        self.assertEqual(one, other)

    def test_hints_to_the_allocator_are_no_steps(self):
        plan = self.forward("y = torch.empty_like(x)\ny.record_stream(torch.cuda.current_stream())\nreturn y")
        self.assertEqual([s["op"] for s in plan["steps"] if s["kind"] == "aten"], ["aten::empty_like"])

    def test_entry_missing(self):
        self.assertEqual(self.error("x = 1\n")["reason"], "entry_missing")
        error = self.error(IMPORTS + "class ModelNew(nn.Module):\n    def forward(self, a, b):\n        return a\n")
        self.assertEqual(error["reason"], "entry_missing")
        self.assertIn("missing a required argument: 'b'", error["message"])
        error = self.error(IMPORTS + "class ModelNew(nn.Module):\n    def __init__(self):\n        super().__init__()\n", init_inputs=[3])
        self.assertEqual(error["reason"], "entry_missing")

    def test_an_exception_is_told_with_the_programs_own_line(self):
        source = module("y = self.helper(x)\nreturn y") + "    def helper(self, x):\n        return x.view(5, 5)\n"
        error = self.error(source)
        self.assertEqual((error["reason"], error["type"], error["line"]), ("trace_error", "RuntimeError", line_of(source, "view(5, 5)")))
        self.assertIn("view(5, 5)", error["traceback"])

    def test_syntax_errors_and_exits(self):
        error = self.error("import torch\ndef f(:\n")
        self.assertEqual((error["reason"], error["line"]), ("syntax_error", 2))
        error = self.error("import sys\nsys.exit(0)\n")
        self.assertEqual((error["reason"], error["line"]), ("trace_error", 2))

    def test_shape_errors_are_found_although_nothing_is_computed(self):
        self.assertEqual(self.error(module("return x @ x"))["type"], "RuntimeError")

    def test_autograd_functions_run_forward_and_backward(self):
        head = COPY + '''
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = torch.empty_like(x)
        copy_kernel[(1,)](x, y, x.numel(), BLOCK=32)
        return y
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        d = torch.empty_like(x)
        copy_kernel[(1,)](g.contiguous(), d, x.numel(), BLOCK=32)
        return d * 2
'''
        plan = self.forward("return Double.apply(x)", head=head)
        self.assertEqual(len(steps(plan, "launch")), 1)
        source = module('''
            with torch.enable_grad():
                y = x.clone().requires_grad_()
                Double.apply(y).sum().backward()
            return y.grad''', head)
        plan = self.plan(source)
        self.assertEqual([s["line"] for s in steps(plan, "launch")], [line_of(source, "(x, y, x.numel()"), line_of(source, "(g.contiguous(), d")])

    def test_module_hooks_run(self):
        plan = self.forward("return self.l(x)", init="self.l = nn.Linear(8, 8)\nself.l.register_forward_hook(lambda m, a, out: torch.relu(out))")
        self.assertIn("aten::relu", operators(plan))

    def test_custom_operators_are_traced_through(self):
        head = COPY + '''
@torch.library.custom_op("mine::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    copy_kernel[(1,)](x, y, x.numel(), BLOCK=32)
    return y * 2
library = torch.library.Library("theirs", "DEF")
library.define("relu2(Tensor x) -> Tensor")
library.impl("relu2", lambda x: torch.relu(torch.relu(x)), "CompositeExplicitAutograd")
'''
        plan = self.forward("return torch.ops.theirs.relu2(double(x))", head=head)
        self.assertEqual(operators(plan), ["aten::empty_like", "aten::mul.Tensor", "aten::relu", "aten::relu"])
        self.assertEqual(len(steps(plan, "launch")), 1)

    def test_triton_operators_are_traced_through(self):
        head = COPY + '''
@torch.library.triton_op("mine::copied", mutates_args={})
def copied(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    torch.library.wrap_triton(copy_kernel)[(1,)](x, y, x.numel(), BLOCK=32)
    return y
'''
        plan = self.forward("return copied(x)", head=head)
        self.assertEqual([s["kind"] for s in plan["steps"]], ["aten", "launch"])

    def test_torch_compile_is_traced_as_eager(self):
        plan = self.forward("return f(x)", head=IMPORTS + "@torch.compile(mode='max-autotune')\ndef f(x):\n    return torch.relu(x) + 1\n")
        self.assertEqual(operators(plan), ["aten::relu", "aten::add.Tensor"])
        self.assertIn("torch.compile was ignored", plan["warnings"][0])

    def test_the_constructor_makes_device_tensors_and_the_call_does_not(self):
        plan = self.forward("return x + self.t", init="self.t = torch.arange(8.0)")
        self.assertEqual(plan["steps"][0]["kwargs"]["device"], {"device": "cuda"})
        error = self.error(module("y = torch.empty(32)\ncopy_kernel[(1,)](x, y, 32, BLOCK=32)\nreturn y", COPY))
        self.assertIn("cannot be accessed from Triton", error["message"])

    def test_children_do_not_see_each_other(self):
        body = "seen = hasattr(torch, 'left_behind')\ntorch.left_behind = True\nreturn x + (1 if seen else 0)"
        for _ in range(2):
            self.assertEqual(steps(self.forward(body), "aten")[0]["args"][1], 0)

    def test_the_zygote_keeps_slow_imports_out(self):
        body = "import sys\nslow = [m for m in ('torch._dynamo', 'torch._inductor') if m in sys.modules]\nreturn (x @ x.t()).softmax(0), slow"
        self.assertEqual(self.forward(body)["output"]["tuple"][1], [])

    def test_what_is_printed_goes_to_the_output_pipe(self):
        self.forward("print('hello', x.shape)\nreturn x")
        from tracing import zygote
        self.assertEqual(zygote().output.strip(), "hello torch.Size([4, 8])")
        self.assertEqual(zygote().last["exit"], 0)

    def test_outputs_that_a_plan_cannot_hold(self):
        error = self.error(module("return x, object()"))
        self.assertEqual(error["reason"], "output_structure")
        self.assertIn("type object", error["message"])


if __name__ == "__main__":
    unittest.main()
