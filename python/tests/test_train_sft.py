"""`train sft` through tritonsmith-train-tool: a tiny model learns, a run that was stopped goes on with the same bits."""
import concurrent.futures
import json
import shutil
import socket
import tempfile
import unittest
from pathlib import Path

try:
    import torch
    import transformers
    from safetensors.torch import load_file

    from model_families import PROGRAMS, Tool
    from tiny_training import ONE_THREAD, configuration, write_everything
    TRAIN_TOOL = PROGRAMS / "tritonsmith-train-tool"
    missing = None if TRAIN_TOOL.exists() else f"no {TRAIN_TOOL}"
except ImportError as error:
    missing = str(error)


@unittest.skipIf(missing, missing)
class TrainSft(unittest.TestCase):
    def setUp(self):
        self.tool = self.enterContext(Tool(TRAIN_TOOL, **ONE_THREAD))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        write_everything(self.folder)

    def configuration(self, name, /, **changes):
        return configuration(self.folder, name, **changes)

    def sft(self, configuration, **options):
        return self.tool.must(do="sft", configuration=configuration, **options)

    def metrics(self, run):
        return [json.loads(line) for line in (self.folder / run / "metrics.jsonl").read_text().splitlines()]

    def files(self, run):
        last = self.folder / run / "checkpoints" / "last"
        return {path.relative_to(last).as_posix(): path.read_bytes() for path in sorted(last.rglob("*")) if path.is_file()}

    def test_a_tiny_model_learns(self):
        self.sft(self.configuration("run", run={"steps": 120, "evaluate_every": 60}))
        metrics = self.metrics("run")
        self.assertEqual([line["step"] for line in metrics], list(range(1, 121)))
        self.assertGreater(metrics[0]["loss"], 4.5)  # nearly ln 258
        self.assertLess(metrics[-1]["loss"], 0.3)
        self.assertLess(metrics[-1]["evaluation"]["loss"], 0.3)
        model = transformers.AutoModelForCausalLM.from_pretrained(self.folder / "run/checkpoints/last")
        prompt = torch.tensor([[256, *b"user|c4", 257, 10, 256, *b"assistant|"]])
        answer = model.generate(prompt, attention_mask=torch.ones_like(prompt), do_sample=False, max_new_tokens=8)[0, prompt.shape[1]:]
        self.assertEqual(answer.tolist(), [*b"cccc", 257])

    def test_a_stopped_run_goes_on_with_the_same_bits(self):
        for changes in {}, {"optimizer": {"beta2": 0.99, "method": "muon", "states": "bfloat16"}, "model": {"dtype": "bfloat16", "gradients": "bfloat16"}}:
            with self.subTest(changes):
                for run in ("whole", "stopped"):
                    shutil.rmtree(self.folder / run, ignore_errors=True)
                self.sft(self.configuration("whole", **changes))
                stopped = self.sft(self.configuration("stopped", **changes), stop_at=7)
                self.assertEqual((stopped["steps"], stopped["signal"]), (7, 15))
                self.assertEqual(self.sft(self.configuration("stopped", **changes), resume=True)["steps"], 12)
                self.assertEqual(self.files("stopped"), self.files("whole"))
                volatile = ("seconds", "time", "tokens_per_second", "tflops")
                for ours, theirs in zip(self.metrics("stopped"), self.metrics("whole"), strict=True):
                    self.assertEqual({key: value for key, value in ours.items() if key not in volatile},
                                     {key: value for key, value in theirs.items() if key not in volatile})

    def test_adapters_are_trained_while_weights_stay(self):
        self.sft(self.configuration("base", run={"steps": 1}, schedule={"warmup": 0, "decay": 0}))
        base = self.folder / "base/checkpoints/last"
        changes = {"model": {"folder": str(base), "scratch": False}, "lora": {"rank": 4, "alpha": 8}}
        self.sft(self.configuration("whole", **changes))
        self.assertEqual(self.sft(self.configuration("stopped", **changes), stop_at=7)["steps"], 7)
        self.sft(self.configuration("stopped", **changes), resume=True)
        self.assertEqual(self.files("stopped"), self.files("whole"))
        metrics = self.metrics("whole")
        self.assertLess(metrics[-1]["loss"], metrics[0]["loss"] - 0.05)
        folder = self.folder / "whole/checkpoints/last"
        merged, weights, adapters = (load_file(path) for path in (folder / "model.safetensors", base / "model.safetensors", folder / "adapter/adapter_model.safetensors"))
        for name, weight in weights.items():
            at = "base_model.model." + name.removesuffix("weight")
            if at + "lora_A.weight" in adapters:
                weight = weight + 2 * adapters[at + "lora_B.weight"] @ adapters[at + "lora_A.weight"]
            torch.testing.assert_close(merged[name], weight)
        self.assertEqual(len(adapters), 2 * 2 * 7)

    def test_two_processes_do_what_one_does(self):
        for method in ("adamw", "muon"):
            with self.subTest(method):
                for run in ("one", "two"):
                    shutil.rmtree(self.folder / run, ignore_errors=True)
                changes = {"optimizer": {"beta2": 0.99, "method": method}}
                self.sft(self.configuration("one", **changes))
                configuration = self.configuration("two", **changes)
                answers = self.in_two_processes(do="sft", configuration=configuration, stop_at=7)
                self.assertEqual([answer["steps"] for answer in answers], [7, 7])
                answers = self.in_two_processes(do="sft", configuration=configuration, resume=True)
                self.assertEqual([answer["steps"] for answer in answers], [12, 12])
                for ours, theirs in zip(self.metrics("two"), self.metrics("one"), strict=True):
                    self.assertEqual(ours["data"], theirs["data"])
                    self.assertAlmostEqual(ours["loss"], theirs["loss"], delta=1e-4 * theirs["loss"] if method == "adamw" else 0.05)

    def test_two_processes_divide_layers(self):
        changes = {"model": {"recompute": "layer"}, "data": {"micro_batches": 4, "evaluation_batches": 3}}
        self.sft(self.configuration("one", **changes))
        changes["run"] = {"zero": "layers"}
        self.in_two_processes(do="sft", configuration=self.configuration("whole", **changes))
        configuration = self.configuration("stopped", **changes)
        answers = self.in_two_processes(do="sft", configuration=configuration, stop_at=7)
        self.assertEqual([answer["steps"] for answer in answers], [7, 7])
        self.in_two_processes(do="sft", configuration=configuration, resume=True)
        self.assertEqual(self.files("stopped"), self.files("whole"))
        self.expect_close("stopped", "one")

    def test_a_run_goes_on_in_other_processes(self):
        self.sft(self.configuration("one"))
        for zero in ("states", "layers"):
            with self.subTest(zero):
                shutil.rmtree(self.folder / "moved", ignore_errors=True)
                self.sft(self.configuration("moved"), stop_at=4)
                self.in_two_processes(do="sft", configuration=self.configuration("moved", run={"zero": zero}), resume=True, stop_at=8)
                self.assertEqual(self.sft(self.configuration("moved"), resume=True)["steps"], 12)
                self.expect_close("moved", "one")
        shutil.rmtree(self.folder / "moved")
        self.in_two_processes(do="sft", configuration=self.configuration("moved"), stop_at=3)
        (self.folder / "moved/checkpoints/last/trainer/optimizer-1-of-2.safetensors").unlink()
        answer = self.tool.ask(do="sft", configuration=self.configuration("moved"), resume=True)
        self.assertIn("optimizer-1-of-2.safetensors", answer["error"])

    def expect_close(self, run, other):
        for ours, theirs in zip(self.metrics(run), self.metrics(other), strict=True):
            self.assertEqual(ours["data"], theirs["data"])
            for name in ("loss", "gradient_norm"):
                self.assertAlmostEqual(ours[name], theirs[name], delta=1e-3 * theirs[name], msg=f"{name} of step {ours['step']}")
            if "evaluation" in theirs:
                self.assertAlmostEqual(ours["evaluation"]["loss"], theirs["evaluation"]["loss"], delta=1e-3)

    def in_two_processes(self, **request):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        variables = ONE_THREAD | {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        with Tool(TRAIN_TOOL, RANK="0", **variables) as first, Tool(TRAIN_TOOL, RANK="1", **variables) as second, \
                concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(lambda tool: tool.must(**request), (first, second)))

    def test_a_run_is_never_written_over(self):
        configuration = self.configuration("run", run={"steps": 1}, schedule={"warmup": 0, "decay": 0})
        self.sft(configuration)
        answer = self.tool.ask(do="sft", configuration=configuration)
        self.assertEqual(answer["kind"], "input", answer)
        self.assertIn("--resume", answer["error"])
        answer = self.tool.ask(do="sft", configuration=self.configuration("run", run={"steps": 1}, schedule={"warmup": 0, "learning_rate": 1e-3}), resume=True)
        self.assertIn("schedule/learning_rate", answer["error"])
        self.assertEqual(self.sft(self.configuration("run", run={"steps": 2}, schedule={"warmup": 0, "decay": 0}), resume=True)["steps"], 2)
        (self.folder / "other").mkdir()
        (self.folder / "other/file").write_text("mine")
        answer = self.tool.ask(do="sft", configuration=self.configuration("other"), resume=True)
        self.assertIn("holds no run", answer["error"])

    def test_what_is_wrong_is_named(self):
        for changes, words in (({"run": {"stesp": 1}}, ["[run]", "stesp is unknown"]), ({"run": {"device": "tpu"}}, ["[run]", "device"]), ({"model": {"dtype": "fp4"}}, ["[model]", "dtype", "float32"]),
                               ({"data": {"longest": 9999}}, ["[data]", "longest"]), ({"data": {"sources": []}}, ["[[data.sources]]"]),
                               ({"schedule": {"warmup": 13}}, ["[schedule]", "warmup"]), ({"run": {"zero": "all"}}, ["[run]", "zero", "layers"]),
                               ({"run": {"zero": "layers"}, "optimizer": {"method": "muon"}}, ["[optimizer]", "method", "adamw"]),
                               ({"run": {"zero": "layers"}, "lora": {"rank": 4}}, ["[lora]", "rank", "states"]), ({"data": {"tokens": 512, "longest": 300}}, ["max_position_embeddings"])):
            answer = self.tool.ask(do="sft", configuration=self.configuration("run", **changes))
            self.assertEqual(answer.get("kind"), "input", answer)
            for word in words:
                self.assertIn(word, answer["error"])
            self.assertFalse((self.folder / "run").exists())
        (self.folder / "train.jsonl").write_text('{"messages": []}\n')
        answer = self.tool.ask(do="sft", configuration=self.configuration("run"))
        self.assertIn("train.jsonl:1", answer["error"])


if __name__ == "__main__":
    unittest.main()
