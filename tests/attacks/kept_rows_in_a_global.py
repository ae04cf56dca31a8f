# task: gated_sums  reason: nondeterministic
# The rows of the first call are kept in a global, which a second module finds as well.
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


def launch(x, y, count):
    rows[(count,)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return y


COUNT = 0


class ModelNew(nn.Module):
    def forward(self, x):
        global COUNT
        COUNT = COUNT or x.shape[0]
        return launch(x, torch.empty_like(x), COUNT)
