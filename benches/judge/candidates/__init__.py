"""Candidates for problems of KernelBench's development half, written for this bench: four a problem, of which two are right, one computes
something subtly else, and one is at fault in another way."""

from dataclasses import dataclass

HEAD = "import torch\nimport triton\nimport triton.language as tl\nfrom torch import nn\n"


@dataclass(frozen=True)
class Candidate:
    problem: str  # "L1-19"
    kind: str  # "plain", "tuned", "wrong" or "other"
    code: str
    why: str = ""  # what is wrong with it

    @property
    def right(self):
        return self.kind in ("plain", "tuned")

    @property
    def name(self):
        return f"{self.problem}-{self.kind}"


def everything():
    """All candidates, those of one problem behind each other."""
    from . import elementwise, linear, matmul, pooling, reductions, rows

    modules = (elementwise, matmul, linear, reductions, rows, pooling)
    return [candidate for module in modules for candidate in module.candidates()]
