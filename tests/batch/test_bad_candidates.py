"""200 rows with every kind of bad candidate: 200 verdicts, each as it must be, also where helpers are killed at random.
Environment: TRITONSMITH_BINARY; TRITONSMITH_BAD_ROWS: how many rows (200)."""

import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from bad_candidates import ROOT, all_rows
from test_batch import BINARY, children_of

ROWS = int(os.environ.get("TRITONSMITH_BAD_ROWS", "200"))


class BadCandidates(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tritonsmith-bad")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.output = self.folder / "verdicts.jsonl"

    def judge(self, rows, meanwhile=None):
        batch = self.folder / "rows.jsonl"
        batch.write_bytes(b"".join(row.line + b"\n" for row in rows))
        environment = {**os.environ, "TRITONSMITH_CACHE": str(self.folder / "cache")}
        command = [BINARY, "verify", "--device", "cpu", "--no-cache", "--batch", batch, "-o", self.output]
        with subprocess.Popen(command, cwd=ROOT, env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            if meanwhile:
                thread = threading.Thread(target=meanwhile, args=(process,))
                thread.start()
            _, err = process.communicate()
            if meanwhile:
                thread.join()
        return process.returncode, [json.loads(line) for line in self.output.read_text().splitlines()], err

    def check(self, rows, code, verdicts, err):
        failed = [(row.name, v["message"]) for row, v in zip(rows, verdicts) if v["status"] == "machine_error"]
        self.assertEqual(failed, [])
        self.assertIn(code, (0, 1), err)
        self.assertEqual([v["row"] for v in verdicts], list(range(1, len(rows) + 1)))
        wrong = [(row.name, v["status"], v["reason"], v["message"][:200]) for row, v in zip(rows, verdicts)
                 if not row.admits(v)]
        self.assertEqual(wrong, [])

    def test_each_row_has_its_verdict(self):
        rows = all_rows(self.folder, ROWS)
        self.check(rows, *self.judge(rows))

    def test_helpers_that_are_killed_at_random_change_no_verdict(self):
        rows = all_rows(self.folder, ROWS, seed=2)
        chance, killed = random.Random(3), []

        def kill(process):
            # A program that runs into a limit of time must be left alone for so long, if only at the end.
            while process.poll() is None and len(killed) < ROWS // 2:
                time.sleep(chance.uniform(0.3, 1.2))
                helpers = children_of(process.pid)
                if not helpers or process.poll() is not None:
                    continue
                try:
                    os.kill(chance.choice(helpers), signal.SIGKILL)
                    killed.append(time.monotonic())
                except ProcessLookupError:
                    pass

        self.check(rows, *self.judge(rows, kill))
        self.assertGreater(len(killed), ROWS // 20)


if __name__ == "__main__":
    unittest.main()
