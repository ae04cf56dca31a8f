# task: row_maxima  reason: autotune_config_wrong
# Tiles of the second configuration end behind the row and are padded with zeros.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 16}), triton.Config({"BLOCK": 1024})], key=["cols"])
@triton.jit
def maxima(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best = tl.full([BLOCK], float("-inf"), tl.float32)
    for begin in range(0, cols, BLOCK):
        c = begin + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0))
    tl.store(out_ptr + row, tl.max(best, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        maxima[(x.shape[0],)](x, out, x.shape[1])
        return out
