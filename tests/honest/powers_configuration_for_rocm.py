# task: powers
# One configuration is for the other vendor's devices: the tuner drops it here, since ptxas fails.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"ROCM": True}), triton.Config({"ROCM": False})], key=["count"])
@triton.jit
def exponents(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr, ROCM: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    y = tl.load(y_ptr + at, mask=at < count, other=0.0)
    if ROCM:
        e = tl.extra.hip.libdevice.exp(y)
    else:
        e = tl.extra.cuda.libdevice.exp(y)
    tl.store(out_ptr + at, tl.exp(x) / (1.0 + e), mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        exponents[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        return out
