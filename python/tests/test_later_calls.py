"""Whether a module's later calls do what its first does."""

import unittest

from tracing import COPY, TracingTest, buffer, module, operators, steps, tensor


class LaterCalls(TracingTest):
    def later(self, body, init="pass", **request):
        return self.forward(body, head=COPY, init=init, **request)

    def test_a_module_that_keeps_nothing(self):
        plan = self.later("y = torch.empty_like(x)\ncopy_kernel[(1,)](x, y, x.numel(), BLOCK=32)\nreturn y")
        self.assertEqual(plan["later_calls"], [])

    def test_an_answer_that_is_kept(self):
        body = "if self.y is None:\n    self.y = torch.empty_like(x)\n    copy_kernel[(1,)](x, self.y, x.numel(), BLOCK=32)\nreturn self.y"
        self.assertEqual(self.later(body, init="self.y = None")["later_calls"], [2])
        plan = self.later(body, init="self.y = None", call=2)
        self.assertEqual(steps(plan, "launch", "forward"), [])
        self.assertEqual(len(steps(plan, "launch", "init")), 1)
        self.assertIn("aten::fill_.Scalar", operators(plan, "init"))

    def test_an_answer_that_is_kept_by_address(self):
        body = ("key = x.data_ptr()\nif key not in self.kept:\n    self.kept[key] = torch.empty_like(x)\n"
                "    copy_kernel[(1,)](x, self.kept[key], x.numel(), BLOCK=32)\nreturn self.kept[key]")
        self.assertEqual(self.later(body, init="self.kept = {}")["later_calls"], [3, 4])
        plan = self.later(body, init="self.kept = {}", call=3)
        given = {i["tensor"]["buffer"] for i in plan["inputs"]}
        touched = {buffer(a) for s in steps(plan, "launch", "init") for a in s["args"] if isinstance(a, dict) and "tensor" in a}
        self.assertEqual(len(steps(plan, "launch", "init")), 2)
        self.assertFalse(given & touched, "calls before have inputs of their own")

    def test_inputs_that_the_task_has_computed(self):
        given = [tensor([4, 8], buffer=3), tensor([4, 8], buffer=1)]
        head = COPY + "\nclass ModelNew(nn.Module):\n    kept = {}\n    def forward(self, x, w):\n"
        launch = "copy_kernel[(1,)](x, {0}, x.numel(), BLOCK=32)\n        return {0}\n"
        same = "        y = torch.empty_like(w)\n        " + launch.format("y")
        self.assertEqual(self.plan(head + same, inputs=given)["later_calls"], [])
        kept = ("        key = x.data_ptr()\n        if key in self.kept:\n            return self.kept[key]\n        self.kept[key] = torch.empty_like(x)\n"
                "        " + launch.format("self.kept[key]"))
        self.assertEqual(self.plan(head + kept, inputs=given)["later_calls"], [3, 4])
        plan = self.plan(head + kept, inputs=given, call=3)
        own = {i["tensor"]["buffer"] for i in plan["inputs"]}
        self.assertFalse(own & {buffer(a) for s in steps(plan, "launch", "init") for a in s["args"] if isinstance(a, dict) and "tensor" in a})

    def test_every_call_that_is_new(self):
        body = ("self.n += 1\nif self.t is None:\n    self.t = torch.arange(4, device='cuda')\nif self.n > {}:\n    return self.y\n"
                "self.y = torch.empty_like(x)\ncopy_kernel[(1,)](x, self.y, self.t.numel(), BLOCK=32)\nreturn self.y")
        for last, calls in ((1, [2]), (2, [2, 3]), (3, [2, 4])):
            self.assertEqual(self.later(body.format(last), init="self.n, self.t = 0, None")["later_calls"], calls)

    def test_a_long_call_is_made_twice(self):
        body = "self.n += 1\nfor _ in range(2100):\n    y = x.view(-1)\nreturn y if self.n < {} else y * 2"
        self.assertEqual(self.later(body.format(2), init="self.n = 0")["later_calls"], [2])
        self.assertEqual(self.later(body.format(3), init="self.n = 0")["later_calls"], [])

    def test_what_is_kept_for_more_calls_or_tensors(self):
        answer = "self.y = torch.empty_like(x)\n    copy_kernel[(1,)](x, self.y, x.numel(), BLOCK=32)\nreturn self.y"
        counted = "self.n += 1\nif self.n < 8:\n    " + answer
        self.assertEqual(self.later(counted, init="self.n, self.y = 0, None")["later_calls"], [8])
        self.assertEqual(self.later("if self.of is not x:\n    self.of = x\n    " + answer, init="self.of = self.y = None")["later_calls"], [3])
        plan = self.later("if self.of is not x:\n    self.of = x\n    " + answer, init="self.of = self.y = None", call=3)
        self.assertEqual(steps(plan, "launch", "forward"), [])

    def test_clocks_go_on_between_calls(self):
        answer = "    self.y = torch.empty_like(x)\n    copy_kernel[(1,)](x, self.y, x.numel(), BLOCK=32)\nreturn self.y"
        for clock in ("time.monotonic()", "time.perf_counter_ns() / 1e9", "datetime.datetime.now().timestamp()"):
            body = f"if self.y is None or {clock} - self.t < 3600:\n" + answer
            plan = self.plan(module(body, "import datetime\nimport time\n" + COPY, f"self.t, self.y = {clock}, None"))
            self.assertEqual(plan["later_calls"], [2], clock)

    def test_a_size_that_is_kept_anywhere(self):
        body = "{}\ny = torch.empty_like(x)\ncopy_kernel[(1,)](x, y, {}, BLOCK=32)\nreturn y"
        for kept, count in (("type(self).n = getattr(type(self), 'n', x.numel())", "self.n"), ("N.append(x.numel())", "N[0]"),
                            ("copy_kernel.n_ = getattr(copy_kernel, 'n_', x.numel())", "copy_kernel.n_")):
            self.assertTrue(self.later(body.format(kept, count), init="global N\nN = globals().get('N', [])")["keeps_size"], kept)

    def test_a_second_module_has_weights_of_its_own(self):
        head = COPY + "\nKEPT = {}\n"
        body = ("key = {}\nif key not in KEPT:\n    KEPT[key] = torch.empty_like(self.w)\n    copy_kernel[(1,)](self.w, KEPT[key], 32, BLOCK=32)\n"
                "y = torch.empty_like(x)\ncopy_kernel[(1,)](KEPT[key], y, 32, BLOCK=32)\nreturn y")
        init = "self.w = nn.Parameter(torch.randn(4, 8))"
        self.assertEqual(self.error(module(body.format("self.w.shape"), head, init))["reason"], "stale_state")
        self.plan(module(body.format("self.w.data_ptr()"), head, init))

    def test_the_size_of_the_first_call_that_is_kept(self):
        copied = "copy_kernel[(1,)](x, y, {}, BLOCK=32)\nreturn y"
        first = "if self.n is None:\n    self.n, self.shape = x.numel(), x.shape\n"
        kept = "self.n = self.shape = None"
        for output, count, expected in (("torch.empty(self.shape, device=x.device)", "x.numel()", True), ("torch.empty_like(x)", "self.n", True),
                                        ("torch.empty_like(x)", "x.numel()", False)):
            plan = self.later(first + f"y = {output}\n" + copied.format(count), init=kept)
            self.assertEqual(plan["keeps_size"], expected, (output, count))
        self.assertFalse(self.later("y = torch.empty(self.rows, 8, device=x.device)\n" + copied.format(32), init="self.rows = 4")["keeps_size"],
                         "of the constructor")
        grown = "if self.s is None or self.s.numel() < x.numel():\n    self.s = torch.empty_like(x)\ny = torch.empty_like(x)\n"
        self.assertFalse(self.later(grown + copied.format("x.numel()"), init="self.s = None")["keeps_size"])
        self.assertFalse(self.later(first + "assert x.shape == self.shape\ny = torch.empty_like(x)\n" + copied.format("self.n"), init=kept)["keeps_size"],
                         "it takes no other")


if __name__ == "__main__":
    unittest.main()
