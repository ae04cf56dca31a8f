"""tritonsmith generate, from the prompt to the file, against a recorded endpoint."""
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from recorded import RecordedEndpoint

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TRITONSMITH_BINARY_DIR", ROOT / "build/release")) / "bin" / "tritonsmith"
TASK = ROOT / "examples/tasks/softmax.py"
RIGHT = (ROOT / "examples/kernels/softmax.py").read_text()
WRONG = (ROOT / "examples/wrong/out_of_bounds_row_end.py").read_text()
HOST = (ROOT / "examples/wrong/no_triton_kernel.py").read_text()


def answer(program):
    return f"First I think.\n```python\nx = 1\n```\nThen the program:\n\n```python\n{program}```\n"


class Generate(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "kernel.py"
        self.record = self.folder / "kernel.samples.jsonl"

    def command(self, *options):
        return [str(PROGRAM), "generate", str(TASK), "--device", "cpu", "-o", str(self.out), *map(str, options)]

    def run_generate(self, *options, environment=None):
        return subprocess.run(self.command(*options), capture_output=True, text=True, timeout=300, env={**os.environ, **(environment or {})})

    def entries(self, kind):
        return [e for e in map(json.loads, self.record.read_text().splitlines()) if kind in e]

    def test_finds_the_right_one_among_wrong_ones(self):
        for stream, many in [(True, True), (False, False)]:
            with self.subTest(stream=stream), RecordedEndpoint([answer(WRONG), "no program at all", answer(RIGHT), answer(WRONG)], stream, many) as endpoint:
                self.record.unlink(missing_ok=True)
                done = self.run_generate("--endpoint", endpoint.url, "--samples", 4, "--json", "--temperature", 0.7, "--concurrency", 1)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.out.read_text(), RIGHT)
                result = json.loads(done.stdout)
                self.assertEqual(result["reasons"], {"accepted": 1, "no_code": 1, "out_of_bounds": 2})
                self.assertEqual((result["answers"], result["programs"], result["judged"]), (4, 2, 4))
                self.assertEqual(result["best"]["sample"], 2)
                self.assertEqual(result["best"]["verdict"]["status"], "accepted")
                self.assertEqual(result["usage"]["completion_tokens"], 20)
                self.assertIn("accepted", done.stderr)
                body = endpoint.requests[0]
                self.assertEqual((body["model"], body["temperature"], body["max_tokens"]), ("recorded", 0.7, 8192))
                self.assertIn(TASK.read_text(), body["messages"][1]["content"])
                self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["kernel.py", "kernel.samples.jsonl"])

    def test_fails_honestly(self):
        with RecordedEndpoint([answer(WRONG), answer(HOST), "sorry", answer("import torch\n\nclass ModelNew(:\n")]) as endpoint:
            done = self.run_generate("--endpoint", endpoint.url, "--samples", 4)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertFalse(self.out.exists())
        last = done.stderr.splitlines()[-1]
        self.assertRegex(last, r"^no verified kernel for .*softmax.py: 4 answers, 3 different programs: ")
        for part in ("1 out_of_bounds", "1 no_triton_kernel", "1 no_code", "1 syntax_error"):
            self.assertIn(part, last)

    def test_rounds_tell_the_model_what_was_wrong(self):
        with RecordedEndpoint([answer(WRONG), answer(RIGHT)]) as endpoint:
            done = self.run_generate("--endpoint", endpoint.url, "--samples", 1, "--rounds", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.out.read_text(), RIGHT)
        self.assertEqual(len(endpoint.requests), 2, "no third round: the second one had a kernel")
        messages = endpoint.requests[1]["messages"]
        self.assertEqual([m["role"] for m in messages], ["system", "user", "assistant", "user"])
        self.assertEqual(messages[2]["content"], answer(WRONG))
        self.assertIn("[out_of_bounds] line 13", messages[3]["content"])

    def test_goes_on_after_an_interruption(self):
        with RecordedEndpoint([answer(WRONG), "nothing"]) as endpoint:
            running = subprocess.Popen(self.command("--endpoint", endpoint.url, "--samples", 4), stderr=subprocess.PIPE, text=True)
            for _ in range(600):
                if self.record.exists() and len(self.entries("answer")) == 2 and len(self.entries("verdict")) >= 1:
                    break
                time.sleep(0.1)
            running.send_signal(signal.SIGINT)
            stderr = running.communicate(timeout=60)[1]
            self.assertEqual(running.returncode, 130, stderr)
            self.assertFalse(self.out.exists())
            self.assertIn("kernel.samples.jsonl", stderr.splitlines()[-1])
        with open(self.record, "a") as torn:
            torn.write('{"answer": {"round": 1, "sa')
        with RecordedEndpoint([answer(RIGHT), answer(WRONG)]) as endpoint:
            done = self.run_generate("--endpoint", endpoint.url, "--samples", 4, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sum(r.get("n", 1) for r in endpoint.requests), 2, "only what was missing is asked for")
        self.assertEqual(json.loads(done.stdout)["reasons"], {"accepted": 1, "no_code": 1, "out_of_bounds": 2})
        self.assertEqual(self.out.read_text(), RIGHT)
        # All there: nothing is asked or judged again.
        with RecordedEndpoint([]) as endpoint:
            done = self.run_generate("--endpoint", endpoint.url, "--samples", 4)
            self.assertEqual((done.returncode, endpoint.requests), (0, []), done.stderr)
            changed = self.run_generate("--endpoint", endpoint.url, "--samples", 4, "--temperature", 0.1)
            self.assertEqual(changed.returncode, 2)
            self.assertIn("give another --record", changed.stderr)

    def test_endpoints_that_fail(self):
        def refuse(handler, body):
            handler.give(401, {"error": {"message": f"wrong key {handler.headers['Authorization']}"}})

        with RecordedEndpoint([refuse]) as endpoint:
            done = self.run_generate("--endpoint", endpoint.url, "--samples", 1, "--api-key-env", "SECRET", environment={"SECRET": "sk-very-secret"})
            self.assertEqual(done.returncode, 2)
            self.assertIn("wrong key Bearer [key]", done.stderr)
            self.assertNotIn("sk-very-secret", done.stderr + self.record.read_text())
        # What came before is judged, and may be enough.
        broken = [lambda handler, body: handler.give(500, {"error": {"message": "broken"}})] * 2
        with RecordedEndpoint([answer(RIGHT)] + broken) as endpoint:
            done = self.run_generate("--endpoint", endpoint.url, "--samples", 2, "--concurrency", 2, "--attempts", 2)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("not all answers came: endpoint", done.stderr)
        done = self.run_generate("--endpoint", "http://127.0.0.1:9/v1", "--model-name", "m", "--samples", 1, "--attempts", 1, "--record", self.folder / "r")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot connect", done.stderr)

    def test_which_model(self):
        with RecordedEndpoint([], models=("small", "large")) as endpoint:
            done = self.run_generate("--endpoint", endpoint.url)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--model-name (small, large)", done.stderr)

    def test_bad_usage(self):
        for options in [["--endpoint", "nonsense"], ["--model", "/nowhere"], ["--model", ".", "--endpoint", "http://x"], ["--endpoint", "http://x", "--extra", "[]"],
                        ["--endpoint", "http://x", "--api-key-env", "NO_SUCH_VARIABLE"]]:
            done = self.run_generate(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_no_shipped_model(self):
        for smith in ("model", "all"):
            done = self.run_generate("--smith", smith, environment={"TRITONSMITH_MODEL": str(self.folder)})
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("--model DIR", done.stderr)

    def test_a_task_that_cannot_be_judged(self):
        task = ROOT / "examples/unjudgeable/tasks/dropout.py"
        with RecordedEndpoint([answer(RIGHT)] * 2) as endpoint:
            done = subprocess.run([str(PROGRAM), "generate", str(task), "--endpoint", endpoint.url, "--samples", "2", "--rounds", "3"], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_the_kernel_goes_to_stdout(self):
        with RecordedEndpoint([answer(RIGHT)]) as endpoint:
            done = subprocess.run([str(PROGRAM), "generate", str(TASK), "--device", "cpu", "--endpoint", endpoint.url, "--samples", "1"], capture_output=True, text=True, timeout=300, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, RIGHT), done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_the_prompts_example_is_accepted(self):
        done = subprocess.run([str(PROGRAM), "generate", str(TASK), "--dry-run"], capture_output=True, text=True, timeout=60)
        prompt = json.loads(done.stdout)[1]["content"]
        task, kernel, reference = re.findall(r"```python\n(.*?)```", prompt, re.S)
        self.assertEqual(reference, TASK.read_text())
        (self.folder / "task.py").write_text(task)
        (self.folder / "kernel.py").write_text(kernel)
        verified = subprocess.run([str(PROGRAM), "verify", str(self.folder / "task.py"), str(self.folder / "kernel.py"), "--device", "cpu"], capture_output=True, text=True, timeout=300)
        self.assertEqual(verified.returncode, 0, verified.stderr)


if __name__ == "__main__":
    unittest.main()
