"""bench and report on the examples: every answer is judged once, shards make the whole, and reports can be read.
Environment: TRITONSMITH_BINARY."""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/generate"))

from recorded import RecordedEndpoint  # noqa: E402

BINARY = os.environ["TRITONSMITH_BINARY"]
TASKS = ["row_reduction", "softmax"]
NO_KERNEL = "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x\n"


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tritonsmith-bench")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        rows = [{"task": task, "code": text} for task in TASKS
                for text in ((ROOT / f"examples/kernels/{task}.py").read_text(), NO_KERNEL, "")]
        self.answers = self.folder / "answers.jsonl"
        self.answers.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def run_program(self, *arguments, code=0):
        environment = {**os.environ, "TRITONSMITH_CACHE": str(self.folder / "cache")}
        done = subprocess.run([BINARY, *map(str, arguments)], cwd=ROOT, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def bench(self, output, *more, code=0):
        only = [word for task in TASKS for word in ("--only", task)]
        return self.run_program("bench", "--suite", "tasks", "examples/tasks", *only, "--answers", self.answers, "--device", "cpu",
                                "-o", self.folder / output, *more, code=code)

    def verdicts(self, run):
        lines = [json.loads(line) for line in (self.folder / run / "verdicts.jsonl").read_text().splitlines()]
        rows = [(line["problem"], line["sample"], line["verdict"]["reason"]) for line in lines]
        return sorted(rows, key=lambda row: (TASKS.index(row[0]), row[1]))  # each is written when it is there

    EXPECTED = [(task, sample, reason) for task in TASKS for sample, reason in enumerate([None, "no_triton_kernel", "no_code"])]

    def test_a_run_goes_on_and_is_reported(self):
        summary = json.loads(self.bench("run", "--json").stdout)
        self.assertEqual(self.verdicts("run"), self.EXPECTED)
        rates = {(rate["metric"], rate["k"]): rate["all"]["value"] for rate in summary["protocols"]["robust"]["rates"]}
        self.assertAlmostEqual(rates["correct", 1], 1 / 3)
        self.assertEqual(rates["correct", 3], 1)

        # As after a kill: half a line, and answers without verdicts.
        path = self.folder / "run/verdicts.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[:4]) + lines[4][:20])
        done = self.bench("run")
        self.assertIn("2 to be judged", done.stderr)
        self.assertEqual(self.verdicts("run"), self.EXPECTED)
        self.assertIn("0 to be judged", self.bench("run").stderr)
        self.bench("run", "--tolerance", "0.5", code=2)  # another run

        for ending in ("html", "md", "json", "svg"):
            self.run_program("report", self.folder / "run", "-o", self.folder / f"report.{ending}")
        self.assertIn("class ModelNew", (self.folder / "report.html").read_text())
        self.assertIn("33.3 %", (self.folder / "report.svg").read_text())
        ElementTree.parse(self.folder / "report.svg")
        self.assertIn("| correct | 1 | 33.3 %", (self.folder / "report.md").read_text())
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["problems"]["all"], 2)
        self.run_program("report", self.folder / "run", "-o", "report.txt", code=2)

    def test_shards_make_the_whole(self):
        for shard in ("1/2", "2/2"):
            self.bench(f"shard{shard[0]}", "--shard", shard)
        self.run_program("bench", "merge", self.folder / "shard1", self.folder / "shard2", "-o", self.folder / "whole")
        self.assertEqual(sorted(self.verdicts("whole"), key=lambda v: v[:2]), self.EXPECTED)
        compared = self.run_program("bench", "compare", self.folder / "shard1", self.folder / "whole", "--json").stdout
        self.assertEqual(json.loads(compared)["flips"], [])
        self.assertEqual(json.loads(compared)["only_in_b"], 1)

    def test_forge_answers_each_problem(self):
        self.run_program("bench", "--suite", "tasks", "examples/tasks", "--only", "softmax", "--smith", "forge", "--device", "cpu", "-o",
                         self.folder / "forge")
        self.assertEqual(self.verdicts("forge"), [("softmax", 0, None)])

    def test_a_model_is_asked_for_what_is_missing(self):
        first, second = (f"Here:\n```python\n{(ROOT / f'examples/kernels/{task}.py').read_text()}```\n" for task in TASKS)
        run = self.folder / "model"
        with RecordedEndpoint([first, "I cannot.", second]) as endpoint:
            only = [word for task in TASKS for word in ("--only", task)]
            command = ["bench", "--suite", "tasks", "examples/tasks", *only, "--device", "cpu", "-o", run, "--endpoint", endpoint.url, "--samples", 2,
                       "--concurrency", 1, "--prompt", "code"]
            killed = subprocess.Popen([BINARY, *map(str, command)], cwd=ROOT, stderr=subprocess.DEVNULL)
            answers = run / "answers.jsonl"
            for _ in range(1200):  # behind its third answer the endpoint is silent
                if answers.exists() and answers.read_text().count("\n") == 3:
                    break
                time.sleep(0.1)
            killed.kill()
            killed.wait()
            self.assertEqual(answers.read_text().count("\n"), 3)
            endpoint.answers, endpoint.requests = [f"```python\n{NO_KERNEL}```"], []
            self.run_program(*command)
            self.assertEqual([request.get("n", 1) for request in endpoint.requests], [1], "one sample is missing")
            self.assertEqual(self.verdicts("model"), [(TASKS[0], 0, None), (TASKS[0], 1, "no_code"), (TASKS[1], 0, None),
                                                      (TASKS[1], 1, "no_triton_kernel")])
            self.assertEqual(json.loads(answers.read_text().splitlines()[1])["text"], "I cannot.")
            endpoint.requests = []
            self.assertIn("0 to be judged", self.run_program(*command).stderr)
            self.assertEqual(endpoint.requests, [])
            self.run_program(*command, "--temperature", 0.5, code=2)  # other answers: another run

    def test_bad_usage_writes_nothing(self):
        for wrong in (["--shard", "3/2"], ["--protocols", "lenient"], ["--only", "none_such"]):
            self.bench("bad", *wrong, code=2)
            self.assertFalse((self.folder / "bad").exists(), wrong)


if __name__ == "__main__":
    unittest.main()
