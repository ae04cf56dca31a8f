"""A tiny model learns a tiny real set by `train sft`, and is asked by `bench` for kernels of tasks that it never saw."""
import json
import os
import subprocess
import tempfile
import unittest
from collections import Counter
from pathlib import Path

try:
    from model_families import PROGRAMS
    from tiny_chains import configuration, write_set
    from tiny_training import ONE_THREAD, write_toml
    PROGRAM = PROGRAMS / "tritonsmith"
    NEEDED = [PROGRAMS / f"tritonsmith{name}" for name in ("", "-train", "-generate", "-engine", "-worker")]
    missing = next((f"no {program}" for program in NEEDED if not program.exists()), None)
except ImportError as error:
    missing = str(error)


@unittest.skipIf(missing, missing)
class TrainSft(unittest.TestCase):
    def run_program(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=550, env=os.environ | ONE_THREAD)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_was_learned_holds_for_tasks_that_were_not_seen(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        write_set(folder)
        tables = configuration(folder)
        write_toml(folder / "run.toml", tables)
        self.run_program("train", "sft", folder / "run.toml")
        self.run_program("bench", "--suite", "tasks", folder / "tasks.jsonl", "--model", folder / "run/checkpoints/last", "--model-device", "cpu", "--prompt", "code",
                         "--temperature", "0", "--max-tokens", "100", "--device", "cpu", "--jobs", "2", "--no-cache", "-o", folder / "bench")
        verdicts = [json.loads(line)["verdict"] for line in (folder / "bench/verdicts.jsonl").read_text().splitlines()]
        self.assertEqual(len(verdicts), 40)
        outcomes = Counter(verdict["reason"] or verdict["status"] for verdict in verdicts)
        self.assertGreaterEqual(outcomes["accepted"], 38, outcomes)


if __name__ == "__main__":
    unittest.main()
