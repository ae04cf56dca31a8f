"""What the tracer's tests share: one zygote for the whole run, and ways to look at a plan."""

import atexit
import textwrap
import unittest

from zygote import Zygote, tensor

_zygote = None
IMPORTS = "import torch\nimport triton\nimport triton.language as tl\nfrom torch import nn\n"
COPY = IMPORTS + textwrap.dedent('''
    @triton.jit
    def copy_kernel(x, y, n, BLOCK: tl.constexpr):
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)
''')


def zygote():
    global _zygote
    if _zygote is None:
        _zygote = Zygote()
        atexit.register(_zygote.close)
    return _zygote


class TracingTest(unittest.TestCase):
    maxDiff = 2000

    def answer(self, source, *, kind="candidate", inputs=None, **request):
        if kind == "candidate":
            request["inputs"] = inputs if inputs is not None else [tensor([4, 8])]
            request.setdefault("init_inputs", [])
        return zygote().trace(source, kind, **request)

    def plan(self, source, **request):
        answer = self.answer(source, **request)
        self.assertIn("plan", answer, answer.get("error", {}).get("traceback"))
        return answer["plan"]

    def error(self, source, **request):
        answer = self.answer(source, **request)
        self.assertIn("error", answer)
        return answer["error"]

    def forward(self, body, head=IMPORTS, init="pass", **request):
        """The plan of a module whose forward(self, x) has this body."""
        return self.plan(module(body, head, init), **request)


def module(body, head=IMPORTS, init="pass"):
    return (head + "\nclass ModelNew(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            + textwrap.indent(textwrap.dedent(init).strip(), " " * 8) + "\n    def forward(self, x):\n"
            + textwrap.indent(textwrap.dedent(body).strip(), " " * 8) + "\n")


def line_of(source, text):
    """The 1-based line that has the text."""
    return next(i for i, line in enumerate(source.split("\n"), 1) if text in line)


def operators(plan, phase="forward"):
    return [s["op"] for s in plan["steps"] if s["kind"] == "aten" and s["phase"] == phase]


def steps(plan, kind, phase=None):
    return [s for s in plan["steps"] if s["kind"] == kind and (phase is None or s["phase"] == phase)]


def buffer(value):
    return value["tensor"]["buffer"]
