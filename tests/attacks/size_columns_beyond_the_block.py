# task: row_sums  reason: wrong_result
# One block of at most 1024 columns: the rest of a row is left out.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    tl.store(out_ptr + row, tl.sum(tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = x.new_empty(x.shape[0])
        sums[(x.shape[0],)](x, out, x.shape[1], BLOCK=min(1024, triton.next_power_of_2(x.shape[1])))
        return out
