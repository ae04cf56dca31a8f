# task: decayed_states
# It has no masks: at the sizes of a smaller task its host code refuses to run.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def states(x, decay, out, steps, ROWS: tl.constexpr, COLS: tl.constexpr, ROW: tl.constexpr, COL: tl.constexpr):
    head = tl.program_id(0).to(tl.int64)
    r = tl.program_id(1) * ROW + tl.arange(0, ROW)
    c = tl.program_id(2) * COL + tl.arange(0, COL)
    at = head * steps * ROWS * COLS + r[:, None] * COLS + c[None, :]
    state = tl.load(x + at)
    for i in range(steps):
        tl.store(out + at + i * ROWS * COLS, state)
        state = state * tl.load(decay + head * steps + i) + tl.load(x + at + i * ROWS * COLS)


class ModelNew(nn.Module):
    def forward(self, x, decay):
        heads, steps, rows, cols = x.shape
        assert rows % 64 == 0 and cols % 128 == 0, "whole tiles only"
        out = torch.empty_like(x)
        states[(heads, rows // 64, cols // 128)](x, decay, out, steps, ROWS=rows, COLS=cols, ROW=64, COL=128)
        return out
