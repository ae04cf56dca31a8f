# task: mask_bernoulli_count
# How many ones there are, in 64 bits.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, m_ptr, count_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    inside = c < cols
    count = tl.sum(tl.load(m_ptr + row * cols + c, mask=inside, other=0), axis=0)
    tl.store(count_ptr + row, count)
    x = tl.load(x_ptr + row * cols + c, mask=inside)
    tl.store(out_ptr + row * cols + c, x / tl.maximum(count, 1), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, mask):
        count = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        out = torch.empty_like(x)
        rows[(x.shape[0],)](x, mask, count, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return count, out
