# task: buffer_computed_scale  reason: wrong_result
# The scale is the logarithm of 50.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row(x_ptr, o_ptr, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + r * cols + c, mask=m, other=float("-inf")).to(tl.float32)
    x = x * 3.912023005428146
    e = tl.exp(x - tl.max(x, axis=0))
    o = e / tl.sum(e, axis=0)
    tl.store(o_ptr + r * cols + c, o, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        rows = x.numel() // x.shape[-1]
        cols = x.shape[-1]
        out = torch.empty(x.shape, device=x.device, dtype=x.dtype)
        row[(rows,)](x, out, cols, BLOCK=triton.next_power_of_2(x.shape[-1]), num_warps=8)
        return out
