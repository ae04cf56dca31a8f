# task: add  reason: wrong_result
# The configuration that comes first subtracts.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"SIGN": -2.0}), triton.Config({"SIGN": 2.0})], key=["count"])
@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, SIGN: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + SIGN * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        return out
