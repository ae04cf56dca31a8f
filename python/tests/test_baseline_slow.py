"""The compiled baseline on the CPU: opens tasks, times them, says what does not compile."""

import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest

from zygote import PACKAGE, _frame

TASK = """import torch
from torch import nn

N = 64

class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(N, width)

    def forward(self, x):
        assert torch.is_grad_enabled() is False
        return torch.relu(self.linear(x)) * 2

def get_inputs():
    return [torch.rand(8, N)]

def get_init_inputs():
    return [16]
"""


class Baseline(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="tritonsmith-test-")
        cls.socket, theirs = socket.socketpair()
        environment = {"PATH": "/usr/bin:/bin", "HOME": cls.folder, "TMPDIR": cls.folder, "OMP_NUM_THREADS": "1", "USER": "tritonsmith"}
        cls.process = subprocess.Popen([sys.executable, "-I", f"{PACKAGE}/tritonsmith/services/baseline.py", str(theirs.fileno())],
                                       env=environment, pass_fds=[theirs.fileno()])
        theirs.close()
        cls.greeting = _frame(cls.socket.recv)

    @classmethod
    def tearDownClass(cls):
        cls.socket.close()
        cls.process.wait(60)
        shutil.rmtree(cls.folder, ignore_errors=True)

    def ask(self, **request):
        body = json.dumps(request).encode()
        self.socket.sendall(struct.pack("<I", len(body)) + body)
        return _frame(self.socket.recv)

    def open(self, source, **rest):
        return self.ask(do="open", source=source, filename="task.py", entry="Model", device="cpu", **rest)

    def test_a_task_is_opened_timed_and_closed(self):
        answer = self.open(TASK, constants={"N": 32})
        self.assertTrue(answer["ok"], answer)
        self.assertFalse(answer["graph"])
        self.assertGreater(answer["seconds"], 0)
        times = self.ask(do="time", samples=7, seconds=60)["ms"]
        self.assertEqual(len(times), 7)
        self.assertTrue(all(0 < t < 1000 for t in times), times)
        self.assertEqual(len(self.ask(do="time", samples=7, seconds=0)["ms"]), 1)
        self.assertEqual(self.ask(do="close"), {"ok": True})
        self.assertEqual(self.ask(do="time", samples=1, seconds=1)["reason"], "task_error")

    def test_what_does_not_compile_is_reported(self):
        answer = self.open(TASK.replace("return torch.relu", "raise ValueError('no')\n        return torch.relu"))
        self.assertEqual((answer["ok"], answer["reason"]), (False, "compile_failed"))
        self.assertIn("no", answer["message"])

    def test_a_task_that_fails_by_itself_is_reported(self):
        answer = self.open("def f(:\n")
        self.assertEqual((answer["ok"], answer["reason"]), (False, "task_error"))
        self.assertEqual(self.open(TASK.replace("class Model", "class Other"))["reason"], "task_error")

    def test_the_greeting_has_versions(self):
        self.assertTrue(self.greeting["ready"])
        self.assertIn("torch", self.greeting)


if __name__ == "__main__":
    unittest.main()
