"""What the forge writes is accepted by the judge, for the tasks here and the examples; what it cannot write is refused by name."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("TRITONSMITH_BINARY_DIR", ROOT / "build/release")) / "bin/tritonsmith"
TASKS = sorted((ROOT / "tests/forge/tasks").glob("*.py")) + sorted((ROOT / "examples/tasks").glob("*.py"))

REFUSED = '''import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.fft.fft(x).real


def get_inputs():
    return [torch.randn(64, 256)]


def get_init_inputs():
    return []
'''


def generate(*arguments):
    return subprocess.run([str(PROGRAM), "generate", *map(str, arguments), "--smith", "forge"], capture_output=True, text=True, timeout=300)


class Forge(unittest.TestCase):
    def test_every_task_is_accepted(self):
        self.assertGreaterEqual(len(TASKS), 30)
        with tempfile.TemporaryDirectory() as folder:
            rows = []
            for task in TASKS:
                kernel = pathlib.Path(folder) / task.name
                written = generate(task, "--dry-run")
                self.assertEqual(written.returncode, 0, f"{task.name}: {written.stderr}")
                kernel.write_text(written.stdout)
                rows.append(json.dumps({"task": str(task), "candidate": str(kernel)}))
            batch = pathlib.Path(folder) / "rows.jsonl"
            batch.write_text("\n".join(rows) + "\n")
            judged = subprocess.run([str(PROGRAM), "verify", "--batch", str(batch), "--no-cache", "--device", "cpu", "--seed", "11"], capture_output=True, text=True, timeout=900)
            verdicts = [json.loads(line) for line in judged.stdout.splitlines()]
            self.assertEqual(len(verdicts), len(TASKS), judged.stderr)
            wrong = [f"{v['task']}: {v['reason']}: {v['message']}" for v in verdicts if v["status"] != "accepted"]
            self.assertFalse(wrong, "\n" + "\n".join(wrong))

    def test_attention_that_is_written_out_is_one_kernel(self):
        written = generate(ROOT / "tests/forge/tasks/written_attention.py", "--dry-run")
        self.assertEqual(written.returncode, 0, written.stderr)
        self.assertIn("shrink = tl.exp(highest", written.stdout)
        self.assertNotIn("softmax_kernel", written.stdout)

    def test_sizes_of_windows_are_those_of_the_layers_at_any_size(self):
        written = generate(ROOT / "tests/forge/tasks/strided_twice.py", "--dry-run")
        self.assertEqual(written.returncode, 0, written.stderr)
        for axis in ("depth", "height", "width"):
            self.assertIn(f"out_{axis} = ({axis} - 1) // 2 + 1", written.stdout)
            self.assertIn(f"result_{axis} = (out_{axis} - 1) // 2 + 1", written.stdout)
        self.assertIn("batch * result_depth * result_height * result_width", written.stdout)
        self.assertNotIn("// 8", written.stdout)

    def test_what_halves_evenly_at_its_own_size_is_right_where_it_does_not(self):
        for name, size, other in (("halved_four_times", "(3, 240, 240)", "(3, 40, 72)"), ("halved_up_and_down", "= 224, 224", "= 72, 104")):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                task, kernel = pathlib.Path(folder) / "task.py", pathlib.Path(folder) / "kernel.py"
                own = ROOT / f"tests/forge/tasks/{name}.py"
                kernel.write_text(generate(own, "--dry-run").stdout)
                self.assertIn(size, own.read_text())
                task.write_text(own.read_text().replace(size, other))
                judged = subprocess.run([str(PROGRAM), "verify", str(task), str(kernel), "--device", "cpu", "--seed", "11"], capture_output=True, text=True, timeout=300)
                self.assertEqual(judged.returncode, 0, judged.stdout + judged.stderr)

    def test_a_program_with_numbers_of_one_size_refuses_others(self):
        written = generate(ROOT / "tests/forge/tasks/many_branches.py", "--dry-run", "--explain")
        self.assertEqual(written.returncode, 0, written.stderr)
        self.assertIn("only of the task's own size", written.stderr)
        self.assertIn("if x.shape != (70, 90):\n            raise ValueError", written.stdout)
        written = generate(ROOT / "tests/forge/tasks/strided_twice.py", "--dry-run")
        self.assertNotIn(".shape != ", written.stdout)

    def test_relaxed_leaves_convolutions_to_pytorch(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder) / "kernel.py"
            for task, call in (("two_layer_residual", "tl.dot("), ("transposed_conv2d", "F.conv_transpose2d(")):
                done = generate(ROOT / f"tests/forge/tasks/{task}.py", "--device", "cpu", "--relaxed", "-o", kernel)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(call, kernel.read_text())
                self.assertIn("@triton.jit", kernel.read_text())
                self.assertNotIn("torch.matmul", kernel.read_text())

    def test_schedules_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder) / "kernel.py"
            for task, schedule, text in (("transposed_conv2d", "convolutions with channels last", "copied"),
                                         ("strided_conv1d", "convolutions with channels last", "copied"),
                                         ("strided_conv1d", "convolutions one tap of their window at a time", "tap = step % taps"),
                                         ("pooled_places", "128 windows for each program", "BLOCK_ROWS=128")):
                done = generate(ROOT / f"tests/forge/tasks/{task}.py", "--device", "cpu", "--schedule", schedule, "-o", kernel)
                self.assertEqual(done.returncode, 0, f"{task}, {schedule}: {done.stderr}")
                self.assertIn(text, kernel.read_text())
            done = generate(ROOT / "tests/forge/tasks/strided_conv1d.py", "--dry-run", "--schedule", "tiles of gold")
            self.assertEqual(done.returncode, 2)
            self.assertIn("convolutions with channels last", done.stderr)

    def test_the_kernel_goes_to_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "kernel.py"
            done = generate(ROOT / "examples/tasks/softmax.py", "--device", "cpu", "-o", output, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertTrue(report["accepted"])
            self.assertEqual(report["verdict"]["evidence"]["origin"], {"smith": "forge", "schedule": "as written first"})
            self.assertEqual(output.read_text(), report["code"])

    def test_what_cannot_be_lifted_is_refused_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            task = pathlib.Path(folder) / "task.py"
            task.write_text(REFUSED)
            done = generate(task, "--device", "cpu")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("fft", done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
