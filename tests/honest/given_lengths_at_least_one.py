# task: given_lengths
# An empty sample has a mean of zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x, lengths, out, steps, COLS: tl.constexpr):
    batch = tl.program_id(0)
    c = tl.arange(0, COLS)
    length = tl.load(lengths + batch)
    total = tl.zeros([COLS], tl.float32)
    for t in range(length):
        total += tl.load(x + (batch * steps + t) * COLS + c)
    tl.store(out + batch * COLS + c, total / tl.maximum(length, 1))


class ModelNew(nn.Module):
    def forward(self, x, lengths):
        batch, steps, cols = x.shape
        out = torch.empty(batch, cols, device=x.device)
        means[(batch,)](x, lengths, out, steps, COLS=cols)
        return out
