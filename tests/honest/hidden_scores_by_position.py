# task: hidden_scores
# One row a program.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hide(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, BLOCK)
    x = 0.25 * tl.load(x_ptr + row * n + j, mask=j < n, other=0.0)
    tl.store(out_ptr + row * n + j, tl.where(j > row % n, float("-inf"), x), mask=j < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        n = x.shape[-1]
        hide[(x.numel() // n,)](x, out, n, BLOCK=triton.next_power_of_2(n))
        return out
