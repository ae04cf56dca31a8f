# task: add
# A tuner that benchmarks in the first call; the grid of later ones comes from a cache.
import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 1024}, num_warps=8)], key=["count"])
@triton.jit
def add_twice(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x, y = tl.load(x_ptr + index, mask=inside), tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, x + 2.0 * y, mask=inside)


@functools.lru_cache(maxsize=None)
def grid(count):
    return lambda meta: (triton.cdiv(count, meta["BLOCK"]),)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add_twice[grid(x.numel())](x, y, out, x.numel())
        return out
