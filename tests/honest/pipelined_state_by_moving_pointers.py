# task: chain_of_products
# Pointers are handed on from round to round: such a loop is not pipelined, so that each load finds what was stored.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def chain(x_ptr, w_ptr, state_ptr, out_ptr, steps, ROWS: tl.constexpr, DIM: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, DIM)
    at = row[:, None] * DIM + col[None, :]
    size = tl.num_programs(0) * ROWS * DIM
    tl.store(state_ptr + at, tl.load(x_ptr + at))
    source, target = state_ptr + at, state_ptr + size + at
    for step in range(steps):
        state = tl.load(source)
        weight = tl.load(w_ptr + step * DIM * DIM + col[:, None] * DIM + col[None, :])
        tl.store(target, tl.dot(state, weight).to(tl.float16))
        source, target = target, target + size
    tl.store(out_ptr + at, tl.load(state_ptr + steps * size + at))


class ModelNew(nn.Module):
    def forward(self, x, weights):
        out = torch.empty_like(x)
        state = torch.empty(weights.shape[0] + 1, *x.shape, dtype=x.dtype, device=x.device)
        chain[(x.shape[0] // 32,)](x, weights, state, out, weights.shape[0], ROWS=32, DIM=64)
        return out
