# task: chain_of_products
# The state stays in registers; weights are loaded early.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def chain(x_ptr, w_ptr, out_ptr, steps, ROWS: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, DIM)
    at = row[:, None] * DIM + col[None, :]
    state = tl.load(x_ptr + at)
    for step in range(steps):
        weight = tl.load(w_ptr + step * DIM * DIM + col[:, None] * DIM + col[None, :])
        state = tl.dot(state, weight).to(tl.float16)
    tl.store(out_ptr + at, state)


class ModelNew(nn.Module):
    def forward(self, x, weights):
        out = torch.empty_like(x)
        chain[(x.shape[0] // 32,)](x, weights, out, weights.shape[0], ROWS=32, DIM=64)
        return out
