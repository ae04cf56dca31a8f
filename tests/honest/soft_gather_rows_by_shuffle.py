# task: soft
# Columns are split into even and odd halves by reshape and split, and joined again.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    even, odd = tl.split(tl.reshape(x, (BLOCK // 2, 2)))
    m = tl.maximum(tl.max(even, 0), tl.max(odd, 0))
    even, odd = tl.exp(even - m), tl.exp(odd - m)
    total = tl.sum(even, 0) + tl.sum(odd, 0)
    both = tl.reshape(tl.join(even / total, odd / total), (BLOCK,))
    tl.store(out_ptr + row * cols + col, both, mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        softmax_row[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
