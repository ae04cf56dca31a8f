# task: rmsnorm
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def inverse_rms(x, cols, eps):
    return libdevice.rsqrt(tl.sum(x * x, axis=0) / cols + eps)


@triton.jit
def rmsnorm_rows(x_ptr, weight_ptr, out_ptr, rows, cols, eps, BLOCK: tl.constexpr):
    col = tl.arange(0, BLOCK)
    inside = col < cols
    weight = tl.load(weight_ptr + col, mask=inside, other=0.0)
    # Persistent: as many programs as the device runs at once, each with every n-th row.
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        start = tl.cast(row, tl.int64) * cols
        x = tl.load(x_ptr + start + col, mask=inside, other=0.0)
        tl.store(out_ptr + start + col, x * inverse_rms(x, cols, eps) * weight, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        cols = x.shape[-1]
        rows = x.numel() // cols
        out = torch.empty_like(x)
        units = torch.cuda.get_device_properties(x.device).multi_processor_count if x.is_cuda else 4
        grid = (min(rows, 4 * units),)
        rmsnorm_rows[grid](x, self.weight, out, rows, cols, self.eps, BLOCK=triton.next_power_of_2(cols), num_warps=8)
        return out
