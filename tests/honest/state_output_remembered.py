# task: gated_sums
# The module remembers its last output, and writes the next into new memory.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    at = row * cols + c
    v = tl.load(x + at, mask=c < cols, other=0.0)
    tl.store(y + at, tl.sigmoid(v) * tl.sum(v, axis=0), mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        self.last = torch.empty_like(x)
        rows[(x.shape[0],)](x, self.last, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return self.last
