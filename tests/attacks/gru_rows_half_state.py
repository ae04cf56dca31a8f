# task: gru_rows  reason: wrong_result
# The state is rounded to float16 in each step.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def gate(w, b, v, which, N: tl.constexpr):
    j, k = tl.arange(0, N), tl.arange(0, N)
    rows = tl.load(w + (which * N + j[:, None]) * N + k[None, :])
    return tl.sum(rows * v[None, :], axis=1) + tl.load(b + which * N + j)


@triton.jit
def sequence(x, start, wi, wh, bi, bh, y, length, N: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, N)
    h = tl.load(start + row * N + j)
    for t in range(length):
        v = tl.load(x + (row * length + t) * N + j)
        reset = tl.sigmoid(gate(wi, bi, v, 0, N) + gate(wh, bh, h, 0, N))
        update = tl.sigmoid(gate(wi, bi, v, 1, N) + gate(wh, bh, h, 1, N))
        new = libdevice.tanh(gate(wi, bi, v, 2, N) + reset * gate(wh, bh, h, 2, N))
        h = (new + update * (h - new)).to(tl.float16).to(tl.float32)
        tl.store(y + (row * length + t) * N + j, h)


class ModelNew(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.gru = nn.GRU(features, units, batch_first=True)

    def forward(self, x, start):
        g = self.gru
        y = torch.empty_like(x)
        sequence[(x.shape[0],)](x, start, g.weight_ih_l0, g.weight_hh_l0, g.bias_ih_l0, g.bias_hh_l0, y, x.shape[1], g.hidden_size)
        return y
