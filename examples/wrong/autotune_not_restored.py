# task: row_reduction  reason: autotune_not_restored
# Sums added up by atomics, which the tuner is not told to reset: its own runs are part of the first answer.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((512, 2), (1024, 4), (4096, 8))],
    key=["cols"]
)
@triton.jit
def add_row_parts(x_ptr, out_ptr, cols, x_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row.to(tl.int64) * x_stride + col, mask=col < cols, other=0.0)
    tl.atomic_add(out_ptr + row, tl.sum(x, axis=0), sem="relaxed")


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.zeros(x.shape[0], device=x.device, dtype=x.dtype)
        grid = lambda meta: (x.shape[0], triton.cdiv(x.shape[1], meta["BLOCK"]))
        add_row_parts[grid](x, out, x.shape[1], x.stride(0))
        return out
