"""`tritonsmith verify --batch`: order, resuming, bad rows, killed helpers. Environment: TRITONSMITH_BINARY; TRITONSMITH_KILL_ROWS:
rows of the batch whose helpers are killed (20)."""

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("TRITONSMITH_BINARY", str(ROOT / "build/release/bin/tritonsmith"))
TASK = "examples/tasks/row_reduction.py"
GOOD, WRONG = "examples/kernels/row_reduction.py", "examples/wrong/output_structure.py"
ROWS = [{"task": TASK, "candidate": GOOD},
        {"task": "examples/tasks/softmax.py", "candidate": "examples/wrong/no_triton_launch.py"},
        {"task": TASK, "code": "import torch\nclass ModelNew(torch.nn.Module:\n"},
        {"task": TASK, "candidate": GOOD}]


def children_of(pid):
    """Process ids of all descendants."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            child = int(stat.parent.name)
            found += [child, *children_of(child)]
    return found


class One(unittest.TestCase):
    """`tritonsmith verify TASK CANDIDATE`."""

    def verify(self, task, candidate, *flags):
        run = subprocess.run([BINARY, "verify", task, candidate, "--device", "cpu", "--json", *flags], cwd=ROOT, text=True, capture_output=True)
        return run.returncode, json.loads(run.stdout) if run.stdout else None, run.stderr

    def test_exit_codes(self):
        code, verdict, err = self.verify(TASK, GOOD)
        self.assertEqual((code, verdict["status"], verdict["stage"]), (0, "accepted", "done"), err)
        code, verdict, err = self.verify(TASK, WRONG)
        self.assertEqual((code, verdict["status"], verdict["reason"]), (1, "rejected", "output_structure"), err)
        with tempfile.NamedTemporaryFile("w", suffix=".py") as random:
            random.write((ROOT / TASK).read_text().replace("torch.sum(x, dim=1)", "torch.sum(x + torch.rand_like(x), dim=1)"))
            random.flush()
            code, verdict, err = self.verify(random.name, GOOD)
            self.assertEqual((code, verdict["status"], verdict["reason"]), (4, "unjudgeable", "task_random"), err)
        code, verdict, err = self.verify("none.py", GOOD)
        self.assertEqual((code, verdict), (2, None))
        self.assertIn("none.py", err)

    def test_weak_evidence_is_a_rejection_where_more_is_required(self):
        sampled = ("examples/tasks/softmax.py", "examples/kernels/softmax.py")
        code, verdict, err = self.verify(*sampled, "--require", "sampled")
        self.assertEqual((code, verdict["checked"]), (0, "sampled"), err)
        self.assertRegex(verdict["message"], "at full size [0-9]+ of [0-9]+ elements on [2-9] sets of inputs, where one wrong tile")
        code, verdict, err = self.verify(*sampled, "--require", "full")
        self.assertEqual((code, verdict["status"], verdict["reason"]), (1, "rejected", "insufficient_evidence"), err)

    def test_a_candidate_that_is_no_text_has_a_verdict(self):
        for content in (b"x = '\xff'\n", b"x = 1\0", b"#" * ((1 << 20) + 1)):
            with tempfile.NamedTemporaryFile(suffix=".py") as file:
                file.write(content)
                file.flush()
                code, verdict, err = self.verify(TASK, file.name)
                self.assertEqual((code, verdict["status"], verdict["reason"], verdict["stage"], verdict["checked"]),
                                 (1, "rejected", "not_text", "lint", "none"), err)

    def test_a_machine_that_fails_has_a_verdict_too(self):
        run = subprocess.run([BINARY, "verify", TASK, GOOD, "--device", "cpu", "--json"], cwd=ROOT, text=True, capture_output=True,
                             env={**os.environ, "TRITONSMITH_PYTHON": "/bin/false"})
        self.assertEqual(run.returncode, 3)
        verdict = json.loads(run.stdout)
        self.assertEqual((verdict["status"], verdict["reason"], verdict["accepted"]), ("machine_error", "machine_error", False))
        self.assertTrue(run.stderr.strip().splitlines()[-1].startswith("tritonsmith: the tracer process"), run.stderr)


class Batch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tritonsmith-batch")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file, self.output = self.folder / "rows.jsonl", self.folder / "verdicts.jsonl"
        self.environment = {**os.environ, "TRITONSMITH_CACHE": str(self.folder / "cache")}

    def write(self, rows):
        self.file.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))

    def start(self, *options):
        return subprocess.Popen([BINARY, "verify", "--device", "cpu", "--batch", self.file, *options], cwd=ROOT, text=True,
                                env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_batch(self, *options):
        process = self.start(*options)
        out, err = process.communicate()
        return process.returncode, [json.loads(line) for line in out.splitlines()], err

    def verdicts(self):
        return [json.loads(line) for line in self.output.read_text().splitlines()]

    def test_verdicts_come_in_the_order_of_the_rows(self):
        self.write([ROWS[0], "", *ROWS[1:]])  # an empty line is no row, but counts
        code, verdicts, err = self.run_batch("--jobs", "3")
        self.assertEqual(code, 0, err)
        self.assertEqual([v["row"] for v in verdicts], [1, 3, 4, 5])
        self.assertEqual([v["reason"] for v in verdicts], [None, "no_triton_launch", "syntax_error", None])
        self.assertEqual([v["accepted"] for v in verdicts], [True, False, False, True])
        self.assertIn("4/4 candidates", err)

    def test_a_batch_that_was_stopped_goes_on_behind_its_last_whole_line(self):
        self.write(ROWS)
        self.assertEqual(self.run_batch("-o", self.output)[0], 0)
        whole = self.output.read_text().splitlines(keepends=True)
        self.output.write_text(whole[0] + whole[1] + whole[2][:40])
        code, _, err = self.run_batch("-o", self.output)
        self.assertEqual(code, 0, err)
        self.assertIn("first 2 of 4 rows", err)
        self.assertEqual([v["reason"] for v in self.verdicts()], [None, "no_triton_launch", "syntax_error", None])
        self.assertEqual(self.output.read_text().splitlines(keepends=True)[:2], whole[:2])
        self.assertEqual(self.run_batch("-o", self.output)[0], 0)
        self.assertEqual(len(self.verdicts()), 4)

    def test_what_was_judged_before_comes_from_the_cache(self):
        self.write(ROWS[:3])
        first = self.run_batch()[1]
        self.assertEqual([v.get("cached", False) for v in first], [False, False, False])
        second = self.run_batch()[1]
        self.assertEqual([v.get("cached", False) for v in second], [True, True, True])
        self.assertEqual([{**v, "cached": None} for v in second], [{**v, "cached": None} for v in first])
        self.assertEqual([v.get("cached", False) for v in self.run_batch("--relaxed")[1]], [False, False, False])
        self.assertEqual([v.get("cached", False) for v in self.run_batch("--no-cache")[1]], [False, False, False])

    def test_verdicts_of_another_batch_are_left_alone(self):
        self.write(ROWS[:1])
        self.assertEqual(self.run_batch("-o", self.output)[0], 0)
        before = self.output.read_text()
        self.write(ROWS[1:])
        code, _, err = self.run_batch("-o", self.output)
        self.assertEqual(code, 2)
        self.assertIn("verdicts.jsonl:1: not the verdict of this batch's row", err)
        self.assertEqual(self.output.read_text(), before)

    def test_a_file_that_no_batch_wrote_is_left_alone(self):
        self.write(ROWS[:1])
        for text in ("my notes", "my notes\n", "{ not ours", '{"row"'):
            with self.subTest(text=text):
                self.output.write_text(text)
                code, _, err = self.run_batch("-o", self.output)
                self.assertEqual(code, 0 if text == '{"row"' else 2, err)  # that is what a kill leaves
                if code:
                    self.assertIn("verdicts.jsonl:1: not a verdict of a batch", err)
                    self.assertEqual(self.output.read_text(), text)

    def test_bad_rows_are_named_before_anything_starts(self):
        for row, message in [("{", "rows.jsonl:2: not a JSON object"),
                             ({"candidate": GOOD}, 'rows.jsonl:2: "task" is missing'),
                             ({"task": TASK}, 'rows.jsonl:2: give either "candidate"'),
                             ({"task": TASK, "candidate": GOOD, "code": "x"}, 'rows.jsonl:2: give either "candidate"'),
                             ({"task": 3, "candidate": GOOD}, 'rows.jsonl:2: "task" must be a string'),
                             ({"task": TASK, "candidate": "none.py"}, "rows.jsonl:2: candidate none.py"),
                             ({"task": "none.py", "candidate": GOOD}, "rows.jsonl:2: task none.py")]:
            with self.subTest(row=row):
                self.write([ROWS[0], row])
                code, _, err = self.run_batch("-o", self.output)
                self.assertEqual(code, 2)
                self.assertIn(message, err)
                self.assertFalse(self.output.exists())

    def test_with_keep_going_bad_rows_are_rows(self):
        self.write(["{", ROWS[0], {"task": "none.py", "candidate": GOOD}, {"task": TASK, "candidate": "none.py"}, {"task": TASK}])
        for _ in range(2):  # and again, with the file that is there
            code, _, err = self.run_batch("--keep-going", "-o", self.output)
            self.assertEqual(code, 0, err)
            found = [(v["row"], v["status"], v["reason"]) for v in self.verdicts()]
            self.assertEqual(found, [(1, "unjudgeable", "bad_row"), (2, "accepted", None), (3, "unjudgeable", "task_error"),
                                     (4, "unjudgeable", "bad_row"), (5, "unjudgeable", "bad_row")])

    def test_rows_on_which_the_machine_failed_are_judged_again(self):
        self.write(ROWS[:3])
        working = dict(self.environment)
        self.environment["TRITONSMITH_PYTHON"] = "/bin/false"
        code, _, err = self.run_batch("-o", self.output)
        self.assertEqual(code, 3, err)
        self.assertIn("the machine failed on 2 of 3 rows", err)
        self.assertEqual([v["status"] for v in self.verdicts()], ["machine_error", "machine_error", "rejected"])
        self.environment = working
        code, _, err = self.run_batch("-o", self.output)
        self.assertEqual(code, 0, err)
        self.assertEqual([(v["row"], v["reason"]) for v in self.verdicts()], [(1, None), (2, "no_triton_launch"), (3, "syntax_error")])

    def test_a_machine_that_does_not_work_at_all_ends_the_batch(self):
        self.write(ROWS[:1] * 30)
        self.environment["TRITONSMITH_PYTHON"] = "/bin/false"
        code, verdicts, err = self.run_batch("--no-cache")
        self.assertEqual(code, 3, err)
        self.assertIn("rows in a row", err)
        self.assertLess(len(verdicts), 30)

    def test_killed_workers_and_tracers_lose_no_verdict(self):
        pairs = int(os.environ.get("TRITONSMITH_KILL_ROWS", "20")) // 2
        least = max(3, pairs // 10)
        rows = [ROWS[0], ROWS[1]] * pairs
        self.write(rows)
        process = self.start("-o", self.output, "--jobs", "2", "--no-cache")
        killed = []

        def kill():
            while process.poll() is None:
                time.sleep(0.7)
                helpers = children_of(process.pid)
                if helpers and process.poll() is None:
                    victim = helpers[len(killed) % len(helpers)]
                    try:
                        os.kill(victim, signal.SIGKILL)
                        killed.append(victim)
                    except ProcessLookupError:
                        pass
                if len(killed) >= max(8, 3 * least):
                    return

        killer = threading.Thread(target=kill)
        killer.start()
        _, err = process.communicate()
        killer.join()
        self.assertEqual(process.returncode, 0, err)
        self.assertGreaterEqual(len(killed), least)
        self.assertEqual([v["row"] for v in self.verdicts()], list(range(1, 2 * pairs + 1)))
        self.assertEqual([v["reason"] for v in self.verdicts()], [None, "no_triton_launch"] * pairs)


if __name__ == "__main__":
    unittest.main()
