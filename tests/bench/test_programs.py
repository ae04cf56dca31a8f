"""bench on programs with tests, as TritonBench has them: call and execution accuracy. Environment: TRITONSMITH_BINARY."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "generate"))

from recorded import RecordedEndpoint  # noqa: E402

BINARY = os.environ["TRITONSMITH_BINARY"]
RULE = "#" * 146
GOLDEN = """
import torch
import triton
import triton.language as tl


@triton.jit
def scale(x_ptr, out_ptr, n, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(out_ptr + at, x * FACTOR, mask=at < n)


def twice(x):
    out = torch.empty_like(x)
    scale[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), 2.0, 64)
    return out
"""
TESTS = """
from twice import twice as imported


def test_twice():
    assert imported is twice
    x = torch.randn(100, device="cuda")
    return {"case_1": twice(x), "case_2": (x.sum().item(), "name")}


result_gold = test_twice()
"""
ANSWERS = {
    "the golden program": (GOLDEN, None, (True, True, True)),
    "its tests repeated": (GOLDEN + RULE + "\nraise SystemExit(3)\n", None, (True, True, True)),
    "draws before the tests do": ("import torch\ntorch.randn(7)\n" + GOLDEN, None, (True, True, True)),
    "another factor": (GOLDEN.replace("2.0", "2.2"), "wrong_result", (True, False, True)),
    "prints": (GOLDEN + "print('done')\n", None, (True, True, False)),
    "PyTorch alone": ("import torch\n\n\ndef twice(x):\n    return x * 2\n", "no_triton_kernel", (True, True, True)),
    "raises": (GOLDEN.replace("torch.empty_like(x)", "torch.empty_likely(x)"), "trace_error", (False, False, False)),
    "ends itself": (GOLDEN + "raise SystemExit(0)\n", "trace_error", (False, False, False)),
    "no Python": ("def twice(:\n", "syntax_error", (False, False, False)),
    "writes a file": (GOLDEN + "open('/etc/hostname', 'w')\n", "trace_forbidden", (False, False, False)),
    "nothing": ("", "no_code", (False, False, False)),
}


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tritonsmith-programs")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def bench(self, problems, answers):
        for name, rows in (("suite.jsonl", problems), ("answers.jsonl", answers)):
            (self.folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
        environment = {**os.environ, "TRITONSMITH_CACHE": str(self.folder / "cache")}
        done = subprocess.run([BINARY, "bench", "--suite", "tritonbench-g", self.folder / "suite.jsonl", "--answers", self.folder / "answers.jsonl",
                               "--device", "cpu", "--json", "-o", self.folder / "run"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        verdicts = [json.loads(line) for line in (self.folder / "run/verdicts.jsonl").read_text().splitlines()]
        return json.loads(done.stdout), sorted(verdicts, key=lambda line: (line["problem"], line["sample"]))

    def test_each_answer_ends_as_it_must(self):
        row = {"file": "twice.py", "code": GOLDEN + RULE + "\n" + TESTS, "simple_instruction": "Write twice."}
        predictions = [{"instruction": "Write twice.", "label": row["code"], "predict": f"```python\n{code}\n```" if code else ""}
                       for code, _, _ in ANSWERS.values()]
        summary, verdicts = self.bench([row], predictions)
        for (name, (_, reason, tests)), line in zip(ANSWERS.items(), verdicts, strict=True):
            with self.subTest(name):
                verdict = line["verdict"]
                self.assertEqual(line["protocol"], "tritonbench")
                self.assertEqual(verdict["reason"], reason, verdict["message"])
                self.assertEqual(tuple(verdict["tests"][k] for k in ("call", "execution", "execution_stdout")), tests)
        rates = {rate["metric"]: rate["all"]["value"] for rate in summary["protocols"]["tritonbench"]["rates"] if rate["k"] == 1}
        for i, metric in enumerate(("call", "execution", "execution_stdout")):
            self.assertAlmostEqual(rates[metric], sum(tests[i] for _, _, tests in ANSWERS.values()) / len(ANSWERS))

    def test_a_model_is_asked_by_the_instruction(self):
        row = {"file": "twice.py", "code": GOLDEN + RULE + "\n" + TESTS, "simple_instruction": "Write twice.", "complex_instruction": "Write twice, well."}
        (self.folder / "suite.jsonl").write_text(json.dumps(row) + "\n")
        with RecordedEndpoint([f"```python\n{GOLDEN}```"]) as endpoint:
            done = subprocess.run([BINARY, "bench", "--suite", "tritonbench-g", self.folder / "suite.jsonl", "--endpoint", endpoint.url, "--device", "cpu",
                                   "-o", self.folder / "run"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(endpoint.requests[0]["messages"][1]["content"].startswith("Write twice, well.\n"))
        self.assertEqual(json.loads((self.folder / "run/verdicts.jsonl").read_text())["verdict"]["status"], "accepted")

    def test_a_golden_program_that_fails_is_no_fault_of_its_answers(self):
        broken = {"file": "twice.py", "code": GOLDEN + RULE + "\n" + TESTS.replace("twice(x)", "thrice(x)"), "simple_instruction": "Write thrice."}
        without = {"file": "without.py", "code": GOLDEN, "simple_instruction": "Write something."}
        _, verdicts = self.bench([broken, without], [{"task": task, "code": GOLDEN} for task in ("G-twice", "G-without")])
        self.assertEqual([line["verdict"]["status"] for line in verdicts], ["unjudgeable"] * 2)
        self.assertIn("thrice", verdicts[0]["verdict"]["message"])


if __name__ == "__main__":
    unittest.main()
