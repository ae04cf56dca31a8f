"""`tritonsmith train ablate`: a tiny grid on the CPU, run, interrupted, gone on with, and its table."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

try:
    from model_families import PROGRAMS
    from tiny_kernels import configuration, write_tasks
    from tiny_training import ONE_THREAD, write_toml
    PROGRAM = PROGRAMS / "tritonsmith"
    needed = (PROGRAM, PROGRAMS / "tritonsmith-train", PROGRAMS / "tritonsmith-worker")
    missing = next((f"no {program}" for program in needed if not program.exists()), None)
except ImportError as error:
    missing = str(error)


@unittest.skipIf(missing, missing)
class TrainAblate(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        write_tasks(self.folder)
        # Weights are drawn: answers are noise, which the judge need not see.
        tables = configuration(self.folder, "unused", run={"steps": 2}, model={"folder": str(self.folder / "model"), "scratch": True},
                               rollout={"group": 2, "max_tokens": 4, "dynamic": False, "refills": 0})
        write_toml(self.folder / "base.toml", tables)
        self.grid = self.folder / "grid.toml"
        self.grid.write_text(f'[ablation]\nfolder = "{self.folder}/ablation"\nconfiguration = "{self.folder}/base.toml"\n'
                             'seeds = [1, 2]\nwindow = 2\n[[grids]]\nfields.reward.kind = ["hrd"]\nfields.reward.alpha = [0.1, 1]\n'
                             '[[grids]]\nfields.reward.kind = ["autotriton"]\nvariants.rule.off.reward.rule = false\n')
        self.names = [f"{row},seed={seed}" for row in ("reward.alpha=0.1,reward.kind=hrd", "reward.alpha=1,reward.kind=hrd", "reward.kind=autotriton,rule=off")
                      for seed in (1, 2)]

    def command(self, *arguments):
        return [PROGRAM, "train", "ablate", self.grid, *arguments]

    def ablate(self, *arguments, code=0):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=300, env=os.environ | ONE_THREAD)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def metrics_of(self, name):
        return self.folder / "ablation/cells" / name / "metrics.jsonl"

    def steps_done(self):
        return sum(len(file.read_text().splitlines()) for file in self.folder.glob("ablation/cells/*/metrics.jsonl"))

    def test_a_grid_is_run_once_and_its_table_is_written(self):
        process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | ONE_THREAD)
        end = time.monotonic() + 120
        while self.steps_done() < 3 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        errors = process.communicate(timeout=120)[1]
        if process.returncode != 0:  # on a slow machine it may have ended before it was stopped
            self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
            self.assertIn("goes on from there", errors)
        kept = self.metrics_of(self.names[0]).stat().st_mtime_ns

        table = self.ablate("--set", 'ablation.devices=["cpu", "cpu"]').stdout
        self.assertEqual(sorted(path.name for path in (self.folder / "ablation/cells").iterdir()), sorted(self.names))
        for name in self.names:
            self.assertEqual([json.loads(line)["step"] for line in self.metrics_of(name).read_text().splitlines()], [1, 2])
        self.assertEqual(self.metrics_of(self.names[0]).stat().st_mtime_ns, kept)  # it was done
        settings = json.loads((self.folder / "ablation/cells" / self.names[5] / "run.json").read_text())["settings"]
        self.assertEqual((settings["reward"]["kind"], settings["reward"]["rule"], settings["run"]["seed"]), ("autotriton", False, 2))

        self.assertEqual((self.folder / "ablation/table.md").read_text(), table)
        self.assertIn("| 0.1 | hrd |  | 2 |", table)
        self.assertIn("|  | autotriton | off | 2 |", table)
        told = json.loads((self.folder / "ablation/table.json").read_text())
        for row in told["rows"]:
            rate = row["numbers"]["answers/pass_rate"]
            self.assertEqual(len(rate["by_seed"]), 2)
            self.assertLessEqual(rate["low"], rate["mean"])
            self.assertEqual(len(row["curves"]["answers/reward/mean"]["mean"]), 2)
        self.assertIn("answers pass_rate/reward.kind=autotriton,rule=off", (self.folder / "ablation/curves.html").read_text())
        self.assertIn("<svg", (self.folder / "ablation/curves.svg").read_text())

        times = [self.metrics_of(name).stat().st_mtime_ns for name in self.names]
        again = self.ablate("--json")
        self.assertEqual(json.loads(again.stdout)["rows"], told["rows"])
        self.assertEqual([self.metrics_of(name).stat().st_mtime_ns for name in self.names], times)

        # What is done was done with other settings.
        base = self.folder / "base.toml"
        base.write_text(base.read_text().replace("learning_rate = 0.002", "learning_rate = 0.003"))
        errors = self.ablate(code=2).stderr
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertIn("schedule/learning_rate", errors)

    def test_a_run_that_fails_leaves_the_others_alone(self):
        (self.folder / "no-model").mkdir()
        self.grid.write_text(f'[ablation]\nfolder = "{self.folder}/ablation"\nconfiguration = "{self.folder}/base.toml"\n'
                             f'[[grids]]\nfields.model.folder = ["{self.folder}/no-model", "{self.folder}/model"]\n')
        errors = self.ablate(code=3).stderr
        self.assertIn("1 of 2 runs failed", errors)
        self.assertIn("tokenizer.json", errors)
        self.assertEqual(self.steps_done(), 2)

    def test_what_is_wrong_is_named_in_one_line(self):
        for change, words in (("ablation.folders=1", ["[ablation]", "folders is unknown"]), ("ablation.seeds=[1, 1]", ["seeds", "twice"]),
                              ("ablation.configuration=none.toml", ["none.toml"]), ("grids=[{fields = {reward = {beta = [2]}}}]", ["reward.beta=2", "[reward]: beta"]),
                              ("grids=[{fields = {reward = {beta = 2}}}]", ["[[grids]] 1", "reward.beta", "list"]), (f"ablation.folder={self.folder}", ["is not empty"])):
            errors = self.ablate("--set", change, code=2).stderr
            self.assertEqual(len(errors.splitlines()), 1, errors)
            for word in words:
                self.assertIn(word, errors)
        self.assertFalse((self.folder / "ablation").exists())


if __name__ == "__main__":
    unittest.main()
