"""The device that computes nothing gets the operators, shapes and strides that a real H100 got (golden_cases.py)."""

import json
import os
import unittest

from golden_cases import CASES, RESULTS_ONLY, source
from tracing import TracingTest, steps

SILENT = ("aten::detach", "aten::alias", "aten::lift_fresh", "aten::lift")


def described(value):
    """[[dtype, shape, stride]] of the tensors in a VALUE."""
    if isinstance(value, list):
        return [d for item in value for d in described(item)]
    if not isinstance(value, dict):
        return []
    if "tensor" in value:
        return [[value["tensor"][key] for key in ("dtype", "shape", "stride")]]
    return described(value.get("tuple", []))


def traced(plan):
    """The plan's forward phase as golden_cases.on_this_gpu tells it."""
    return [[s["op"], described(s["result"])] for s in steps(plan, "aten", "forward")]


def seen_by_plans(real):
    """Without what makes no step of a plan: checks of errors answer the host and make no tensor; other names of a tensor."""
    return [s for s in real if s[1] and not s[0].startswith(SILENT)]


class Golden(TracingTest):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(os.path.dirname(__file__), "golden_sm_90.json")) as file:
            cls.golden = json.load(file)

    def test_every_case_was_seen_on_the_gpu(self):
        self.assertEqual(set(CASES), set(self.golden))

    def test_operators_and_results(self):
        for name in CASES:
            with self.subTest(name):
                plan = self.plan(source(name), kind="reference")
                golden = self.golden[name]
                self.assertEqual(described(plan["output"]), golden["output"])
                if name not in RESULTS_ONLY:
                    self.assertEqual(traced(plan), seen_by_plans(golden["steps"]))


if __name__ == "__main__":
    unittest.main()
