# task: warmup_with_a_cap  reason: wrong_result
# The share may be more than one.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, out_ptr, s, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, x * s, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, step):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(out.numel(), 1024),)](x, out, step / 1000, out.numel(), BLOCK=1024)
        return out
