"""On a machine with a GPU: what PyTorch picks there, now, is what the device that computes nothing gets (golden_cases.py)."""

import unittest

import torch
from golden_cases import CASES, RESULTS_ONLY, on_this_gpu, source
from test_golden import described, seen_by_plans, traced
from tracing import TracingTest

TARGETS = ("sm_80", "sm_90", "sm_100")  # whose properties the tracer's device has


def target():
    return "sm_{}{}".format(*torch.cuda.get_device_capability()) if torch.cuda.is_available() else "none"


@unittest.skipUnless(torch.cuda.is_available(), "SKIPPED: this machine has no GPU; nothing was compared with a real device")
@unittest.skipUnless(target() in TARGETS, f"SKIPPED: the GPU here is {target()}, the tracer knows {', '.join(TARGETS)}; nothing was compared")
class GoldenOnThisGpu(TracingTest):
    def test_operators_and_results(self):
        for name in CASES:
            with self.subTest(name):
                real = on_this_gpu(source(name))
                plan = self.plan(source(name), kind="reference", target=target())
                self.assertEqual(described(plan["output"]), real["output"])
                if name not in RESULTS_ONLY:
                    self.assertEqual(traced(plan), seen_by_plans(real["steps"]))


if __name__ == "__main__":
    unittest.main()
