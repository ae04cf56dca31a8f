# task: lstm_step
# The gates as four views with strides; tanh as twice a sigmoid less one.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tanh(x):
    return 2.0 * tl.sigmoid(2.0 * x) - 1.0


@triton.jit
def step(i, f, g, o, cell, h, c, n, H, stride, BLOCK: tl.constexpr):
    k = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = k < n
    at = k // H * stride + k % H
    new = tl.sigmoid(tl.load(f + at, ok)) * tl.load(cell + k, ok) + tl.sigmoid(tl.load(i + at, ok)) * tanh(tl.load(g + at, ok))
    tl.store(c + k, new, ok)
    tl.store(h + k, tl.sigmoid(tl.load(o + at, ok)) * tanh(new), ok)


class ModelNew(nn.Module):
    def forward(self, gates, cell):
        h, c = cell.new_empty(cell.shape), cell.new_empty(cell.shape)
        chunks = gates.chunk(4, 1)
        step[(triton.cdiv(cell.numel(), 128),)](*chunks, cell, h, c, cell.numel(), cell.shape[1], gates.stride(0), BLOCK=128)
        return h, c
