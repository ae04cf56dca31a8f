"""Whether a module's later calls do what its first does."""

import unittest

from tracing import COPY, TracingTest, buffer, operators, steps


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
        self.assertEqual(self.later(body, init="self.kept = {}")["later_calls"], [3])
        plan = self.later(body, init="self.kept = {}", call=3)
        given = {i["tensor"]["buffer"] for i in plan["inputs"]}
        touched = {buffer(a) for s in steps(plan, "launch", "init") for a in s["args"] if isinstance(a, dict) and "tensor" in a}
        self.assertEqual(len(steps(plan, "launch", "init")), 2)
        self.assertFalse(given & touched, "calls before have inputs of their own")

    def test_a_long_call_is_made_twice(self):
        body = "self.n += 1\nfor _ in range(2100):\n    y = x.view(-1)\nreturn y if self.n < {} else y * 2"
        self.assertEqual(self.later(body.format(2), init="self.n = 0")["later_calls"], [2])
        self.assertEqual(self.later(body.format(3), init="self.n = 0")["later_calls"], [])


if __name__ == "__main__":
    unittest.main()
