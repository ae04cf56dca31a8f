"""Batches: the same verdicts as one by one, and none that is lost where workers are killed."""

import json
import os
import signal
import threading
import time
import unittest
from pathlib import Path

from programs import PROGRAMS
from running import WithPrograms


def device_workers_of(pid):
    """Process ids of the children that run plans on a device."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            arguments = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if parent == pid and b"--device" in arguments:
            found.append(int(folder.name))
    return sorted(found)


KILLED = ["softmax", "softmax_doubled", "in_place", "linear", "in_place_doubled", "softmax_autotuned"]


class Batch(WithPrograms):
    def rows(self, names):
        """Writes a batch. @returns what its verdicts must be."""
        rows = [{"task": f"task_{PROGRAMS[name][0]}.py", "candidate": f"{name}.py"} for name in names]
        (self.folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return [(i + 1, *PROGRAMS[name][2]) for i, name in enumerate(names)]

    def verdicts(self, text):
        return [json.loads(line) for line in text.splitlines()]

    @staticmethod
    def short(verdicts):
        return [(v["row"], v["status"], v["reason"]) for v in verdicts]

    def test_the_verdicts_are_those_of_one_by_one(self):
        expected = self.rows([*PROGRAMS, "softmax", "linear"])
        process = self.start("--batch", "rows.jsonl", "--jobs", "3", "--timing-budget", "0.3")
        out, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        verdicts = self.verdicts(out)
        self.assertEqual(len(verdicts), len(expected))
        self.assertEqual(self.short(verdicts), expected)
        for verdict in verdicts:
            accepted = verdict["status"] == "accepted"
            self.assertEqual(verdict["checked"] == "full", accepted)
            self.assertEqual(verdict["speedup"] is not None, accepted)
            # Left out of batches, unless asked for.
            self.assertNotIn("as_written", verdict["evidence"])
            self.assertNotIn("compile", verdict["baseline_ms"])

    def test_killed_workers_of_candidates_lose_no_verdict(self):
        self.killed_workers_lose_no_verdict(of_references=False)

    def test_killed_workers_of_references_lose_no_verdict(self):
        self.killed_workers_lose_no_verdict(of_references=True)

    def killed_workers_lose_no_verdict(self, of_references):
        expected = self.rows([KILLED[i % len(KILLED)] for i in range(12)])
        process = self.start("--batch", "rows.jsonl", "--jobs", "2", "--timing-budget", "0.3", "--no-cache")
        seen, killed = set(), []

        def kill():
            reference = None
            # As many as may meet one candidate: a fourth is taken for the candidate's own fault.
            while process.poll() is None and len(killed) < 3:
                time.sleep(1.1)
                workers = device_workers_of(process.pid)
                if not seen:
                    reference = workers[0] if workers else None  # started first
                elif reference not in workers:
                    reference = next((pid for pid in workers if pid not in seen), None)  # in the place of one that was killed
                seen.update(workers)
                victims = [pid for pid in workers if (pid == reference) == of_references]
                if victims:
                    os.kill(victims[len(killed) % len(victims)], signal.SIGKILL)
                    killed.append(time.monotonic())

        killer = threading.Thread(target=kill)
        killer.start()
        out, err = process.communicate()
        killer.join()
        self.assertEqual(process.returncode, 0, err)
        self.assertGreater(len(killed), 0, "the batch ended before anything was killed")  # three on a slow machine
        self.assertEqual(self.short(self.verdicts(out)), expected)


if __name__ == "__main__":
    unittest.main()
