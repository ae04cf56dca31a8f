# task: layer_norm_rows
# Two autotuned kernels; configurations of the second compute a root in other ways.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"SHIFTED": 1}), triton.Config({"SHIFTED": 1}, num_warps=8)], key=["cols"])
@triton.jit
def moments(x_ptr, stats_ptr, cols, SHIFTED: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)
    mean = tl.sum(x, axis=0) / cols
    d = tl.where(c < cols, x - mean, 0.0)
    tl.store(stats_ptr + 2 * row, mean)
    tl.store(stats_ptr + 2 * row + 1, tl.sum(d * d, axis=0) / cols)


@triton.autotune(configs=[triton.Config({"GUARD": 1, "BLOCK": 128}), triton.Config({"GUARD": 2, "BLOCK": 128}), triton.Config({"GUARD": 2, "BLOCK": 64})], key=["cols"])
@triton.jit
def normalise(x_ptr, stats_ptr, w_ptr, b_ptr, out_ptr, cols, GUARD: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for begin in range(0, cols, BLOCK):
        c = begin + tl.arange(0, BLOCK)
        inside = c < cols
        x = tl.load(x_ptr + row * cols + c, mask=inside, other=0.0)
        variance = tl.load(stats_ptr + 2 * row + 1)
        if GUARD == 1:
            variance += 1e-5
        if GUARD == 2:
            scale = tl.rsqrt(variance + 1e-5)
        else:
            scale = 1.0 / tl.sqrt(variance)
        y = (x - tl.load(stats_ptr + 2 * row)) * scale
        y = y * tl.load(w_ptr + c, mask=inside, other=0.0) + tl.load(b_ptr + c, mask=inside, other=0.0)
        tl.store(out_ptr + row * cols + c, y, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        rows, cols = x.shape
        stats, out = torch.empty((rows, 2), device=x.device), torch.empty_like(x)
        moments[(rows,)](x, stats, cols, BLOCK=triton.next_power_of_2(cols))
        normalise[(rows,)](x, stats, self.norm.weight, self.norm.bias, out, cols)
        return out
