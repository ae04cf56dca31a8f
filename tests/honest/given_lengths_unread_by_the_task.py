# task: given_lengths_unread
# The lengths are read, which say what the task takes from the shape.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, lengths, out, steps, COLS: tl.constexpr):
    batch = tl.program_id(0)
    c = tl.arange(0, COLS)
    total = tl.zeros([COLS], tl.float32)
    for t in range(tl.load(lengths + batch)):
        total += tl.load(x + (batch * steps + t) * COLS + c)
    tl.store(out + batch * COLS + c, tl.maximum(total, 0.0))


class ModelNew(nn.Module):
    def forward(self, x, lengths):
        batch, steps, cols = x.shape
        out = torch.empty(batch, cols, device=x.device)
        sums[(batch,)](x, lengths, out, steps, COLS=cols)
        return out
