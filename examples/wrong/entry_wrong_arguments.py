# task: rmsnorm  reason: entry_missing
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rmsnorm_row(x_ptr, weight_ptr, out_ptr, cols, eps, BLOCK: tl.constexpr):
    col = tl.arange(0, BLOCK)
    start = tl.program_id(0) * cols
    x = tl.load(x_ptr + start + col, mask=col < cols, other=0.0)
    weight = tl.load(weight_ptr + col, mask=col < cols, other=0.0)
    tl.store(out_ptr + start + col, x * tl.rsqrt(tl.sum(x * x, axis=0) / cols + eps) * weight, mask=col < cols)


class ModelNew(nn.Module):
    def __init__(self, features, device, block):  # the task gives one argument
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features, device=device))
        self.block = block

    def forward(self, x):
        out = torch.empty_like(x)
        rmsnorm_row[(x.shape[0],)](x, self.weight, out, x.shape[1], 1e-6, BLOCK=self.block)
        return out
