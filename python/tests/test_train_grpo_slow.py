"""`tritonsmith train grpo`, with the real judge: a tiny model improves, and a run that was disturbed ends with the same bits."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

try:
    from model_families import PROGRAMS, Tool
    from tiny_kernels import configuration, first_lessons, write_tasks
    from tiny_training import ONE_THREAD, write_toml
    TRAIN_TOOL = PROGRAMS / "tritonsmith-train-tool"
    PROGRAM = PROGRAMS / "tritonsmith"
    missing = next((f"no {program}" for program in (PROGRAM, TRAIN_TOOL, PROGRAMS / "tritonsmith-train", PROGRAMS / "tritonsmith-worker") if not program.exists()), None)
except ImportError as error:
    missing = str(error)


def children(pid):
    """Processes that this one has started, with what they started: {pid: name}."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(fields["Pid"])] = (int(fields["PPid"]), fields["Name"])
    ours = {pid}
    while more := {one for one, (parent, _) in found.items() if parent in ours} - ours:
        ours |= more
    return {one: found[one][1] for one in ours - {pid}}


def kill(pid):
    """Whether it was still there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@unittest.skipIf(missing, missing)
class TrainGrpo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        write_tasks(cls.folder)
        with Tool(TRAIN_TOOL, **ONE_THREAD) as tool:
            tool.must(do="sft", configuration=first_lessons(cls.folder))

    def command(self, name, *arguments, **changes):
        file = self.folder / f"{name}.toml"
        tables = configuration(self.folder, name, **changes)
        write_toml(file, tables)
        return [PROGRAM, "train", "grpo", file, *arguments]

    def start(self, *arguments, **changes):
        return subprocess.Popen(self.command(*arguments, **changes), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | ONE_THREAD)

    def grpo(self, *arguments, code=0, **changes):
        process = self.start(*arguments, **changes)
        out, errors = process.communicate(timeout=500)
        self.assertEqual(process.returncode, code, errors)
        return out, errors

    def metrics(self, name):
        file = self.folder / name / "metrics.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def results(self, name):
        """What a run left, without times."""
        last = self.folder / name / "checkpoints/last"
        files = {path.relative_to(last).as_posix(): path.read_bytes() for path in sorted(last.rglob("*")) if path.is_file()}
        files["pass_rates"] = (self.folder / name / "pass_rates.jsonl").read_bytes()
        return files, [{key: value for key, value in line.items() if key not in ("time", "seconds")} for line in self.metrics(name)]

    def test_a_tiny_model_improves(self):
        """From one right answer in four to nearly all: 64 answers a step, whose share of right ones has a deviation of at most 1/16."""
        for seed in 1, 2, 3:
            with self.subTest(seed=seed):
                name = f"better-{seed}"
                self.grpo(name, run={"seed": seed, "checkpoint_every": 0}, tasks={"prompts": 4, "sources": [{"files": str(self.folder / "minus.py")}]},
                          rollout={"group": 16, "dynamic": False})
                metrics = self.metrics(name)
                rates = [line["answers"]["pass_rate"] for line in metrics]
                self.assertLess(rates[0], 0.5, rates)
                self.assertGreater(sum(rates[-3:]) / 3, rates[0] + 4 / 16, rates)
                self.assertGreater(sum(rates[-3:]) / 3, 0.8, rates)
                # It began with answers that cheat, and the judge named them.
                self.assertGreater(metrics[0]["answers"]["hacks"]["no kernel of its own"], 0)
                self.assertEqual(metrics[0]["answers"]["answers"], 64)
                self.assertLessEqual({"accepted", "wrong_result", "no_triton_kernel"}, set(metrics[0]["answers"]["reasons"]))
                self.assertLess(metrics[0]["mismatch"]["largest"], 1e-3)
                self.assertAlmostEqual(metrics[0]["mismatch"]["effective"], 1, places=3)

    def disturb(self, name, **changes):
        """Stops a run, kills one, and kills workers of one: all must end with the bits of one that was not. @return its results"""
        self.grpo(name, **changes)
        whole = self.results(name)
        self.assertGreater(sum(line["curriculum"]["left_out"] for line in whole[1]), 0)
        self.assertEqual([line["step"] for line in whole[1]], list(range(1, 21)))

        for how in signal.SIGTERM, signal.SIGKILL:
            stopped = f"{name}-stopped-{how}"
            process = self.start(stopped, **changes)
            while len(self.metrics(stopped)) < 2 and process.poll() is None:
                time.sleep(0.02)
            process.send_signal(how)
            _, errors = process.communicate(timeout=300)
            # On a slow machine it may have ended before it was stopped.
            self.assertIn(process.returncode, (0, 128 + how if how == signal.SIGTERM else -how), errors)
            self.grpo(stopped, "--resume", **changes)
            self.assertEqual(self.results(stopped), whole)

        process, killed = self.start(f"{name}-killed", **changes), 0
        while process.poll() is None and killed < 2:
            for pid, program in children(process.pid).items():
                if killed < 2 and program.startswith("tritonsmith-wor"):
                    killed += kill(pid)
            time.sleep(0.02)
        _, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(killed, 2)
        self.assertEqual(self.results(f"{name}-killed"), whole)
        return whole

    def test_a_disturbed_run_has_the_bits_of_one_that_was_not(self):
        _, metrics = self.disturb("whole", curriculum={"low": 0.2, "high": 0.8, "outside": 0.5})
        self.assertEqual({line["staleness"] for line in metrics}, {0})
        self.assertEqual({line["time"]["ahead"] for line in self.metrics("whole")}, {0})

    def test_answers_may_be_of_the_policy_before(self):
        """Sampled and judged beside the step before: disturbed, evaluated, with more steps than the run was begun with."""
        _, metrics = self.disturb("stale", curriculum={"low": 0.2, "high": 0.8, "outside": 0.5}, rollout={"staleness": 1})
        self.assertEqual([line["staleness"] for line in metrics], [0] + [1] * 19)
        # The first answers are of the policy that learns from them; later ones are of another, as their log-probabilities show.
        self.assertLess(metrics[0]["mismatch"]["largest"], 1e-3)
        self.assertGreater(max(line["mismatch"]["largest"] for line in metrics), 1e-2)
        times = [line["time"] for line in self.metrics("stale")]
        self.assertEqual(times[0]["ahead"], 0)
        self.assertGreater(sum(line["ahead"] for line in times), 0)
        for line in times:
            self.assertGreater(line["wait"], -0.01)

        changes = {"run": {"steps": 4, "checkpoint_every": 0, "seed": 5}, "rollout": {"staleness": 1, "dynamic": False}}
        self.grpo("at-once", **changes)
        files, _ = self.results("at-once")
        self.assertTrue(files["sampler/model.safetensors"] != files["model.safetensors"])
        for steps in 2, 4:
            self.grpo("longer", "--resume", "--set", f"run.steps={steps}", **changes)
        self.assertTrue(self.results("longer") == self.results("at-once"))

        # Evaluations are of the newest weights, and change nothing.
        changes["evaluation"] = {"files": str(self.folder / "times.py"), "every": 2, "samples": 4}
        changes["tasks"] = {"sources": [{"files": str(self.folder / "minus.py")}]}
        self.grpo("evaluated", **changes)
        del changes["evaluation"]
        self.grpo("not-evaluated", **changes)
        (files, metrics), (others, alone) = self.results("evaluated"), self.results("not-evaluated")
        self.assertEqual([line["step"] for line in metrics if "evaluation" in line], [0, 2, 4])
        for line in metrics:
            line.pop("evaluation", None)
        self.assertEqual(metrics[1:], alone)
        for name in "model.safetensors", "sampler/model.safetensors":
            self.assertTrue(files[name] == others[name], name)

    def test_exact_log_probabilities_have_no_mismatch(self):
        """Though the engine computes a group's prompt once and answers token by token, and the trainer whole conversations together."""
        for number, rollout in enumerate(({"exact": True}, {"exact": True, "temperature": 0.7, "top_p": 0.9, "max_batch": 3}, {"exact": False})):
            with self.subTest(rollout):
                self.grpo(f"exact-{number}", run={"steps": 4}, rollout={"dynamic": False, **rollout}, loss={"kl": 0.01})
                found = [line["mismatch"] for line in self.metrics(f"exact-{number}")]
                none = {"kl": 0, "largest": 0, "effective": 1}
                if rollout["exact"]:
                    self.assertEqual(found, [none] * 4)
                    self.assertEqual(self.metrics(f"exact-{number}")[0]["kl"], 0)
                else:
                    self.assertNotIn(none, found)

    def test_held_out_tasks_are_evaluated_and_the_best_checkpoint_is_kept(self):
        """Evaluated on the task that is not trained on, with the same draws; also where the run was stopped in an evaluation."""
        changes = {"run": {"steps": 3, "checkpoint_every": 1, "keep": 1}, "rollout": {"group": 4, "dynamic": False},
                   "evaluation": {"files": str(self.folder / "times.py"), "every": 2, "samples": 4}}
        _, errors = self.grpo("held", **changes)
        self.assertIn("1 tasks of evaluation.files are not trained on", errors)
        whole = self.results("held")
        metrics = whole[1]
        self.assertEqual([line["step"] for line in metrics], [0, 1, 2, 3])
        self.assertEqual([line["step"] for line in metrics if "evaluation" in line], [0, 2, 3])
        self.assertNotIn("answers", metrics[0])
        for line in metrics[0], metrics[2], metrics[3]:
            found = line["evaluation"]
            self.assertEqual((found["tasks"], found["answers"]), (1, 4))
            self.assertLessEqual(found["interval"][0], found["pass_rate"])
            self.assertGreaterEqual(found["interval"][1], found["pass_rate"])
        rates = {line["step"]: line["evaluation"]["pass_rate"] for line in metrics[2:]}
        self.assertEqual((self.folder / "held/checkpoints/best").resolve().name, f"step-{max(rates, key=rates.get):08}")
        self.assertEqual(sorted(path.name.split("-")[0] for path in (self.folder / "held/samples").iterdir()), ["evaluation"] * 3 + ["step"] * 3)

        # Stopped in the evaluation behind step 2: its line is there only when that is done.
        for staleness in 0, 1:
            changes["rollout"]["staleness"] = staleness
            if staleness > 0:
                self.grpo("held-stale", **changes)
                whole = self.results("held-stale")
            name = f"held-stopped-{staleness}"
            process = self.start(name, **changes)
            state = self.folder / name / "samples/step-00000002.jsonl.zst"
            while not state.exists() and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=300)
            self.assertIn(process.returncode, (0, 128 + signal.SIGTERM), errors)
            self.grpo(name, "--resume", **changes)
            self.assertTrue(self.results(name) == whole)

    def test_a_source_opens_when_the_one_before_it_is_solved(self):
        """Two sources of one file by its labels; the second one has nearly all of the weight, once it is open."""
        rows = self.folder / "labelled.jsonl"
        rows.write_text("".join(json.dumps({"code": (self.folder / name).read_text(), "difficulty": label}) + "\n" for name, label in (("minus.py", 1), ("times.py", "2"))))
        sources = [{"files": str(rows), "name": "single", "difficulty": ["1"]}, {"files": str(rows), "name": "fused", "difficulty": ["2"], "weight": 1e6, "opens_at": 0.01}]
        self.grpo("opens", run={"steps": 2, "checkpoint_every": 0}, tasks={"sources": sources}, rollout={"group": 16, "dynamic": False})
        first, second = self.metrics("opens")
        self.assertEqual(list(first["answers"]["difficulty"]), ["1"])
        self.assertEqual(list(second["answers"]["difficulty"]), ["2"])
        self.assertEqual((first["curriculum"]["open"], list(first["curriculum"]["rates"])), (2, ["single"]))
        lines = [json.loads(line) for line in (self.folder / "opens/pass_rates.jsonl").read_text().splitlines()]
        self.assertEqual(sum(group["right"] for group in lines[0]["groups"]) / 32, first["answers"]["pass_rate"])
        sources[1]["difficulty"] = ["3"]
        _, errors = self.grpo("none", code=2, tasks={"sources": sources})
        self.assertIn('"fused" holds no task of difficulty 3; it has 1, 2', errors)

    def test_episodes_go_on_with_the_judges_feedback(self):
        """Log-probabilities of second answers are the engine's: the trainer sees the same conversation."""
        roomy = self.folder / "roomy"
        shutil.copytree((self.folder / "base/checkpoints/last").resolve(), roomy)
        config = json.loads((roomy / "config.json").read_text())
        (roomy / "config.json").write_text(json.dumps(config | {"max_position_embeddings": 2048}))
        changes = {"run": {"steps": 2}, "model": {"folder": str(roomy)}, "rollout": {"turns": 3, "dynamic": False, "refills": 0}, "loss": {"tokens": 8192}}
        self.grpo("turns", **changes)
        for line in self.metrics("turns"):
            answers, turns = line["answers"], line["answers"]["turns"]
            self.assertEqual(turns["1"]["answers"], 16)
            self.assertEqual(sum(turn["answers"] for turn in turns.values()), answers["answers"])
            rejected = 16 - round(turns["1"]["rate"] * 16)
            self.assertLessEqual(turns["2"]["answers"], rejected)
            self.assertGreater(turns["2"]["answers"], 0)
            self.assertLess(line["mismatch"]["largest"], 1e-3)
            self.assertGreater(line["gradient_norm"], 0)
        self.grpo("turns-again", **changes)
        self.assertEqual(self.results("turns-again"), self.results("turns"))
        self.grpo("turns-exact", "--set", "rollout.exact=true", **changes)
        self.assertEqual({line["mismatch"]["largest"] for line in self.metrics("turns-exact")}, {0})

    def test_every_loss_runs(self):
        """Papers' presets, several updates of a step, a reference, sequence ratios."""
        for number, changes in enumerate(({"preset": "tritonrl", "loss": {"updates": 2}}, {"preset": "autotriton", "loss": {"kl": 0.1, "updates": 2, "ratio": "sequence"}},
                                          {"loss": {"objective": "cispo", "old": "rollout"}})):
            with self.subTest(changes):
                name, preset = f"loss-{number}", changes.pop("preset", None)
                command = self.command(name, *(["--set", f"preset={preset}"] if preset else []), "--set", "run.steps=1", "--set", "rollout.max_tokens=24",
                                       "--set", "rollout.dynamic=false", **changes)
                done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | ONE_THREAD)
                self.assertEqual(done.returncode, 0, done.stderr)
                line, = self.metrics(name)
                self.assertGreater(line["gradient_norm"], 0)
                self.assertEqual("kl" in line, "kl" in changes["loss"])

    def test_rewards_may_go_by_a_check_that_trusts_outputs(self):
        """KernelBench's own: it takes PyTorch for an answer, which the judge's numbers, beside it, still name."""
        self.grpo("trusting", run={"steps": 1}, rollout={"group": 16, "dynamic": False}, reward={"check": "kernelbench", "kind": "autotriton", "rule": False})
        line, = self.metrics("trusting")
        answers = line["answers"]
        self.assertGreater(answers["hacks"]["no kernel of its own"], 0)
        self.assertAlmostEqual(answers["reward"]["correctness"], answers["check_rate"])
        self.assertAlmostEqual(answers["check_rate"], answers["pass_rate"] + answers["cheating"])

    def test_what_is_wrong_is_named(self):
        for change, words in (("loss.clip=1", "[loss]: clip is unknown"), ("preset=best", "preset"), ("model.dtype=bfloat16", "float32"), ("rollout.max_tokens=900", "max_tokens"),
                              ("judge.device=tpu", "[judge]: device"), ("loss.dual_clip=0.5", "dual_clip"), ("reward.speeds=3", "list of numbers"),
                              ("reward.check=nobody", "[reward]: check"), ("rollout.staleness=2", "[rollout]: staleness must be"), ("rollout.exact=1", "[rollout]: exact must be"),
                              ("rollout.exact=true run.device=cuda:0", "[rollout]: exact must be false on a GPU"),
                              ("rollout.staleness=1 loss.importance_cap=0", "[loss]: importance_cap must be above 0")):
            done = subprocess.run(self.command("wrong", *(word for one in change.split() for word in ("--set", one))), capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse((self.folder / "wrong").exists())


if __name__ == "__main__":
    unittest.main()
