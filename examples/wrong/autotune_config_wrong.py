# task: row_reduction  reason: autotune_config_wrong
# One of the configurations that autotuning may choose steps over every second block.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 64, "STEP": 64}, num_warps=2),
        triton.Config({"BLOCK": 64, "STEP": 128}, num_warps=2),
    ],
    key=["cols"],
)
@triton.jit
def row_sum(x_ptr, out_ptr, cols, BLOCK: tl.constexpr, STEP: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, cols, STEP):
        col = begin + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)
    tl.store(out_ptr + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_sum[(x.shape[0],)](x, out, x.shape[1])
        return out
