# task: ragged_sums
# The kernel reads the lengths.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, length_ptr, out_ptr, rows, DIM: tl.constexpr, BLOCK: tl.constexpr):
    batch = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for row in range(tl.load(length_ptr + batch)):
        total += tl.load(x_ptr + (batch * rows + row) * DIM + col, mask=col < DIM, other=0.0)
    tl.store(out_ptr + batch * DIM + col, total, mask=col < DIM)


class ModelNew(nn.Module):
    def forward(self, x, lengths):
        out = torch.empty(x.shape[0], x.shape[2], device=x.device)
        sums[(x.shape[0],)](x, lengths, out, x.shape[1], DIM=x.shape[2], BLOCK=64)
        return out
