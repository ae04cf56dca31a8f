# task: softmax
# Configurations hold a row whole, or go over it in parts.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"PART": 0}), triton.Config({"PART": 256}), triton.Config({"PART": 128}), triton.Config({"PART": 64}), triton.Config({"PART": 64}, num_warps=8)],
    key=["cols"],
)
@triton.jit
def soft(x_ptr, out_ptr, cols, PART: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    if PART == 0:
        c = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("-inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * cols + c, e / tl.sum(e, axis=0), mask=c < cols)
    else:
        top, total = float("-inf"), 0.0
        for begin in range(0, cols, PART):
            c = begin + tl.arange(0, PART)
            x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("-inf"))
            higher = tl.maximum(top, tl.max(x, axis=0))
            total = total * tl.exp(top - higher) + tl.sum(tl.exp(x - higher), axis=0)
            top = higher
        for begin in range(0, cols, PART):
            c = begin + tl.arange(0, PART)
            x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("-inf"))
            tl.store(out_ptr + row * cols + c, tl.exp(x - top) / total, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        soft[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
