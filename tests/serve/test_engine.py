"""The whole engine behind its server: a random model that transformers made, on the CPU."""
import concurrent.futures
import json
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from serving import BINARIES, Serving, make_tokenizer
from test_soak import REQUESTS, soak

ROOT = Path(__file__).resolve().parents[2]


def make_model(folder):
    try:
        import torch
        from transformers import Qwen3Config, Qwen3ForCausalLM
    except ImportError as error:
        raise unittest.SkipTest(f"no transformers: {error}")
    tokenizer = make_tokenizer(folder)
    torch.manual_seed(1)
    config = Qwen3Config(vocab_size=400, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                         head_dim=32, max_position_embeddings=16384, tie_word_embeddings=True, initializer_range=0.2)
    model = Qwen3ForCausalLM(config).float().eval()
    model.save_pretrained(folder)
    return tokenizer, model


def children_of(pid):
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if f"\nPPid:\t{pid}\n" in status.read_text():
                found.append(status.parent.name)
        except OSError:  # it has just ended
            pass
    return found


class OnAnyDevice:
    """What holds of an engine wherever it runs. A test case has `device`, `model_folder`, and ask(seed, n) -> texts."""

    def test_seeds_fix_samples_whatever_else_runs(self):
        alone = [self.ask(seed) for seed in range(8)]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertEqual(list(pool.map(self.ask, range(8))), alone)
        self.assertEqual(self.ask(3, n=1), alone[3][:1], "a sample does not depend on how many there are")
        self.assertEqual(len({text for texts in alone for text in texts}), 24)

    def test_bench_keeps_each_sample(self):
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "run"
            command = [str(BINARIES / "tritonsmith"), "bench", "--suite", "tasks", str(ROOT / "examples/tasks"), "--only", "softmax", "--only", "rmsnorm",
                       "--model", self.model_folder, "--device", self.device, "--samples", "3", "--max-tokens", "30", "--sample-seed", "1", "--prompt", "code", "--json",
                       "-o", str(run)]
            for to_be_judged in (6, 0):
                done = subprocess.run(command, capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"{to_be_judged} to be judged", done.stderr)
                answers = [json.loads(line) for line in (run / "answers.jsonl").read_text().splitlines()]
                self.assertEqual(sorted((one["problem"], one["sample"]) for one in answers), [(task, i) for task in ("rmsnorm", "softmax") for i in range(3)])
                self.assertLessEqual({one["reason"] for one in answers}, {"answer_cut", "no_code"})
                self.assertEqual(json.loads(done.stdout)["samples"], 3)

    def test_generate_fails_honestly(self):
        for options in [[], ["--rounds", "2"]]:
            done = subprocess.run([str(BINARIES / "tritonsmith"), "generate", str(ROOT / "examples/tasks/softmax.py"), "--model", self.model_folder, "--device", self.device,
                                   "--samples", "3", "--max-tokens", "30", "--json", *options], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 1, done.stderr)
            result = json.loads(done.stdout)
            self.assertEqual(result["answers"], 6 if options else 3)
            self.assertEqual(set(result["reasons"]), {"answer_cut", "no_code"} & set(result["reasons"]))
            self.assertIn("no verified kernel", done.stderr)


class Engine(OnAnyDevice, unittest.TestCase):
    device = "cpu"

    @classmethod
    def setUpClass(cls):
        if not (BINARIES / "tritonsmith-engine").exists():
            raise unittest.SkipTest("tritonsmith-engine is not built")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.model_folder = cls.folder.name
        cls.tokenizer, cls.model = make_model(cls.model_folder)
        cls.server = Serving([BINARIES / "tritonsmith", "serve", "model", "--model", cls.folder.name, "--device", "cpu", "--dtype", "float32", "--port", 0,
                              "--model-name", "tiny", "--cache-mib", 64])
        cls.addClassCleanup(cls.server.__exit__)
        cls.client = cls.server.client()

    def test_greedy_is_transformers(self):
        import torch
        prompt = self.tokenizer.encode("def kernel(x_ptr").ids
        answer = self.client.completions.create(model="tiny", prompt=prompt, temperature=0, max_tokens=40, logprobs=1, extra_body={"ignore_eos": True})
        wanted = self.model.generate(torch.tensor([prompt]), do_sample=False, max_new_tokens=40, min_new_tokens=40, eos_token_id=None, pad_token_id=0)[0, len(prompt):]
        with torch.no_grad():
            logits = self.model(torch.cat([torch.tensor(prompt), wanted])[None]).logits[0, len(prompt) - 1 : -1]
        scores = torch.log_softmax(logits, -1).gather(1, wanted[:, None])[:, 0]
        self.assertEqual(answer.choices[0].text, self.tokenizer.decode(wanted.tolist()))
        self.assertEqual(len(answer.choices[0].logprobs.token_logprobs), 40)
        for ours, theirs in zip(answer.choices[0].logprobs.token_logprobs, scores.tolist()):
            self.assertAlmostEqual(ours, theirs, delta=1e-3)

    def ask(self, seed, n=3):
        answer = self.client.chat.completions.create(model="tiny", messages=[{"role": "user", "content": "a story"}], n=n, seed=seed, max_tokens=50)
        return [c.message.content for c in answer.choices]

    def test_the_cache_is_given_back(self):
        stream = self.client.completions.create(model="tiny", prompt="x" * 300, n=2, max_tokens=15000, stream=True, extra_body={"ignore_eos": True})
        next(iter(stream))
        # The engine tells its statistics at the end of each step, the first token before.
        self.eventually(lambda: self.server.metrics()["tritonsmith_cache_blocks_used"] > 0)
        stream.close()
        self.eventually(lambda: self.server.metrics()["tritonsmith_cache_blocks_used"] == 0)

    def eventually(self, condition):
        for _ in range(200):
            if condition():
                return
            time.sleep(0.02)
        self.fail("it never came to that")

    def test_soak(self):
        soak(self, self.server, REQUESTS, 20e6)

    def test_an_interruption_ends_the_engine_too(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "kernel.py"
            running = subprocess.Popen([str(BINARIES / "tritonsmith"), "generate", str(ROOT / "examples/tasks/softmax.py"), "--model", self.folder.name, "--device", "cpu",
                                        "--samples", "32", "--max-tokens", "9000", "-o", str(out)], stderr=subprocess.PIPE, text=True)
            record = out.with_suffix(".samples.jsonl")
            for _ in range(600):
                if record.exists():
                    break
                time.sleep(0.05)
            time.sleep(1)  # in the middle of sampling
            children = children_of(running.pid)
            begin = time.time()
            running.send_signal(signal.SIGINT)
            stderr = running.communicate(timeout=60)[1]
            self.assertEqual(running.returncode, 130, stderr)
            self.assertLess(time.time() - begin, 10)
            self.assertTrue(children)
            for child in children:
                self.assertFalse(Path(f"/proc/{child}").exists(), "a process is left")

    def test_a_cache_in_fp8_needs_a_gpu(self):
        why = "tritonsmith: --cache-dtype fp8 needs a GPU: on the CPU keys and values are kept in float32"
        done = subprocess.run([str(BINARIES / "tritonsmith"), "serve", "model", "--model", self.folder.name, "--device", "cpu", "--cache-dtype", "fp8"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", why + "\n"))
        done = subprocess.run([str(BINARIES / "tritonsmith"), "generate", str(ROOT / "examples/tasks/softmax.py"), "--model", self.folder.name, "--device", "cpu", "--cache-dtype", "fp8"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--cache-dtype fp8 needs a GPU", done.stderr.splitlines()[-1])

    def test_weights_in_fp8_need_a_gpu(self):
        for command in (["serve", "model"], ["generate", str(ROOT / "examples/tasks/softmax.py")]):
            done = subprocess.run([str(BINARIES / "tritonsmith"), *command, "--model", self.folder.name, "--device", "cpu", "--dtype", "fp8"], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn("weights in fp8 are not supported on cpu: use float32, bfloat16 or int8", done.stderr.splitlines()[-1])

    def test_bad_folders(self):
        with tempfile.TemporaryDirectory() as empty:
            done = subprocess.run([str(BINARIES / "tritonsmith"), "generate", str(ROOT / "examples/tasks/softmax.py"), "--model", empty, "--device", "cpu"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("tokenizer.json", done.stderr.splitlines()[-1])


if __name__ == "__main__":
    unittest.main()
