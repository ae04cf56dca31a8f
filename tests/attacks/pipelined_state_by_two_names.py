# task: chain_of_products  reason: stale_pipelined_load
# Loaded by one name, stored by another: the same memory.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def chain(x_ptr, w_ptr, from_ptr, state_ptr, out_ptr, steps, ROWS: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, DIM)
    at = row[:, None] * DIM + col[None, :]
    size = tl.num_programs(0) * ROWS * DIM
    tl.store(state_ptr + at, tl.load(x_ptr + at))
    for step in range(steps):
        state = tl.load(from_ptr + step * size + at)
        weight = tl.load(w_ptr + step * DIM * DIM + col[:, None] * DIM + col[None, :])
        tl.store(state_ptr + (step + 1) * size + at, tl.dot(state, weight).to(tl.float16))
    tl.store(out_ptr + at, tl.load(from_ptr + steps * size + at))


class ModelNew(nn.Module):
    def forward(self, x, weights):
        out = torch.empty_like(x)
        state = torch.empty(weights.shape[0] + 1, *x.shape, dtype=x.dtype, device=x.device)
        chain[(x.shape[0] // 32,)](x, weights, state, state, out, weights.shape[0], ROWS=32, DIM=64)
        return out
