# task: log_softmax
# Online maximum and sum, then a second loop; while loops and scalars.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def online(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * n
    y_ptr += row * n
    m = tl.full((), float("-inf"), tl.float32)
    s = tl.full((), 0.0, tl.float32)
    begin = 0
    while begin < n:
        i = begin + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=float("-inf")).to(tl.float32)
        higher = tl.maximum(m, tl.max(x, 0))
        s = s * tl.exp(m - higher) + tl.sum(tl.exp(x - higher), 0)
        m = higher
        begin += BLOCK
    lse = m + tl.log(s)
    begin = 0
    while begin < n:
        i = begin + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float32)
        tl.store(y_ptr + i, (x - lse).to(y_ptr.dtype.element_ty), mask=i < n)
        begin += BLOCK


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        online[(x.numel() // x.shape[-1],)](x, y, x.shape[-1], BLOCK=512, num_warps=4)
        return y
