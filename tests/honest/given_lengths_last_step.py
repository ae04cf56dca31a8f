# task: given_lengths_last
# Each sample has a last step.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def last(x, lengths, out, steps, COLS: tl.constexpr):
    batch = tl.program_id(0)
    c = tl.arange(0, COLS)
    v = tl.load(x + (batch * steps + tl.load(lengths + batch) - 1) * COLS + c)
    tl.store(out + batch * COLS + c, tl.maximum(v, 0.0))


class ModelNew(nn.Module):
    def forward(self, x, lengths):
        batch, steps, cols = x.shape
        out = torch.empty(batch, cols, device=x.device)
        last[(batch,)](x, lengths, out, steps, COLS=cols)
        return out
