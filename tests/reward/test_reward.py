"""tritonsmith reward: a task and an answer, judged, and what training would reward it with."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRITONSMITH_BINARY", str(ROOT / "build/release/bin/tritonsmith"))
TASK = ROOT / "examples/tasks/elementwise_chain.py"
RIGHT = ROOT / "examples/kernels/elementwise_chain.py"
PLAIN = ROOT / "examples/wrong/no_triton_kernel.py"


class Reward(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def reward(self, answer, *options, code=0, task=TASK):
        done = subprocess.run([PROGRAM, "reward", task, answer, "--device", "cpu", *map(str, options)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def parts(self, answer, *options, task=TASK):
        out = json.loads(self.reward(answer, "--json", *options, task=task).stdout)
        return {part["tokens"]: part["reward"] for part in out["reward"]["parts"]}, out

    def answer(self, text):
        path = self.folder / "answer.md"
        path.write_text(text)
        return path

    def test_a_right_answer(self):
        answer = self.answer(f"One pass over the rows.\n\n```python\n{RIGHT.read_text()}```\n")
        parts, out = self.parts(answer, "--kind", "hrd", "--estimate-speed")
        self.assertEqual(out["verdict"]["status"], "accepted")
        self.assertEqual(parts["code"], 1)
        # It reads and writes each element once, and eager PyTorch does so for every operator.
        self.assertTrue(out["facts"]["estimated"])
        self.assertGreater(out["facts"]["speedup"], 1.5)
        self.assertEqual(parts["plan"], min(out["facts"]["speedup"], 2))

    def test_kinds_differ(self):
        self.assertEqual(self.parts(RIGHT, "--kind", "autotriton")[0], {"all": 1})
        self.assertEqual(self.parts(RIGHT, "--kind", "uniform", "--beta", 0.25)[0], {"all": 0.25})
        self.assertEqual(self.parts(RIGHT, "--kind", "milestones")[0], {"all": 1})

    def test_what_is_no_kernel_gets_nothing(self):
        parts, out = self.parts(PLAIN, "--kind", "autotriton")
        self.assertEqual((parts, out["verdict"]["reason"]), ({"all": 0}, "no_triton_kernel"))
        parts, out = self.parts(self.answer("I cannot do that."), "--kind", "hrd")
        self.assertEqual((parts, out["verdict"]["reason"]), ({"plan": 0, "code": 0}, "no_code"))

    def test_a_check_that_trusts_outputs(self):
        small = TASK.read_text().replace("4096", "64")
        task, plain = self.folder / "small.py", self.folder / "plain.py"
        task.write_text(small)
        plain.write_text(small.replace("class Model(", "class ModelNew("))
        options = ["--kind", "autotriton", "--check", "kernelbench"]
        parts, out = self.parts(plain, *options, "--no-rule", task=task)
        self.assertEqual((parts, out["check"], out["verdict"]["reason"]), ({"all": 1}, {"ran": True, "right": True}, "no_triton_kernel"))
        self.assertEqual(self.parts(plain, *options, task=task)[0], {"all": 0})
        self.assertEqual(self.parts(RIGHT, *options, task=task)[0], {"all": 1})
        # The published script knows single tensors only: it fails on the task itself.
        task.write_text(small.replace("+ 0.5 * residual", "+ 0.5 * residual, x"))
        parts, out = self.parts(plain, *options, "--no-rule", task=task)
        self.assertEqual((parts, out["check"]), ({"all": 0}, {"ran": False, "right": False}))

    def test_people_read_lines(self):
        text = self.reward(self.answer("no program"), "--kind", "hrd", "--alpha", 0.5).stdout
        self.assertEqual(text, "verdict  no_code\nplan     0.0000  weight 0.5\ncode     0.0000  weight 1\ntotal    0.0000\n")

    def test_bad_input_is_one_line(self):
        for arguments, words in (((self.folder / "missing.md",), "missing.md"), ((RIGHT, "--kind", "best"), "best"), ((RIGHT, "--longest", 100), "--tokenizer"),
                                 ((RIGHT, "--beta", 2), "beta"), ((RIGHT, "--tokenizer", self.folder), "tokenizer.json")):
            done = self.reward(*arguments, code=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(done.stdout, "")
        self.reward(RIGHT, code=2, task=self.folder / "no_task.py")


if __name__ == "__main__":
    unittest.main()
