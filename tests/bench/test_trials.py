"""KernelBench's published check as a protocol of bench. Environment: TRITONSMITH_BINARY."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

BINARY = os.environ["TRITONSMITH_BINARY"]
TASK = """import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 4)

    def forward(self, x):
        return torch.relu(self.linear(x))


def get_inputs():
    return [torch.rand(100, 8)]


def get_init_inputs():
    return [8]
"""
RIGHT = """import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(y_ptr + at, tl.maximum(x, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, 4)

    def forward(self, x):
        x = self.linear(x)
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
"""
ANSWERS = {
    "right, its product by PyTorch": (RIGHT, None, ""),
    "within the published tolerance": (RIGHT.replace("tl.maximum(x, 0.0)", "tl.maximum(x, 0.0) + 0.005"), None, ""),
    "wrong": (RIGHT.replace("tl.maximum(x, 0.0)", "tl.maximum(x, 0.5)"), "wrong_result", "trials[0] is 'off by 0.5 at most"),
    "weights of its own seed": (RIGHT.replace("        self.linear", "        torch.manual_seed(1)\n        self.linear"), "wrong_result", "off by"),
    "another shape": (RIGHT.replace("return y", "return y.T"), "wrong_result", "the shape [4, 100] in place of [100, 4]"),
    "PyTorch alone": (TASK.replace("class Model(", "class ModelNew("), "no_triton_kernel", ""),
    "no module": (RIGHT.replace("ModelNew", "Other"), "trace_error", "ModelNew"),
}


class Trials(unittest.TestCase):
    def test_each_answer_ends_as_the_published_check_has_it(self):
        with tempfile.TemporaryDirectory(prefix="tritonsmith-trials") as folder:
            folder = Path(folder)
            rows = [{"level": 1, "problem_id": 5, "name": "5_Linear_ReLU", "code": TASK}]
            answers = [{"task": "L1-5", "code": code} for code, _, _ in ANSWERS.values()]
            for name, lines in (("suite.jsonl", rows), ("answers.jsonl", answers)):
                (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
            done = subprocess.run([BINARY, "bench", "--suite", "kernelbench", folder / "suite.jsonl", "--answers", folder / "answers.jsonl", "--device", "cpu",
                                   "--protocols", "kernelbench-trials", "--json", "-o", folder / "run"],
                                  env={**os.environ, "TRITONSMITH_CACHE": str(folder / "cache")}, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [json.loads(line) for line in (folder / "run/verdicts.jsonl").read_text().splitlines()]
        lines.sort(key=lambda line: line["sample"])
        for (name, (_, reason, message)), line in zip(ANSWERS.items(), lines, strict=True):
            with self.subTest(name):
                self.assertEqual(line["protocol"], "kernelbench-trials")
                self.assertEqual(line["verdict"]["reason"], reason, line["verdict"]["message"])
                self.assertIn(message, line["verdict"]["message"])
        rates = {rate["metric"]: rate["all"]["value"] for rate in json.loads(done.stdout)["protocols"]["kernelbench-trials"]["rates"] if rate["k"] == 1}
        self.assertAlmostEqual(rates["correct"], 2 / len(ANSWERS))


if __name__ == "__main__":
    unittest.main()
