# task: activations
# One kernel specialised four times by a constexpr, writing into slices of one output.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def activation(x, KIND: tl.constexpr):
    if KIND == "mish":
        return x * libdevice.tanh(tl.where(x > 20.0, x, libdevice.log1p(tl.exp(x))))
    elif KIND == "softplus":
        return tl.where(x > 20.0, x, libdevice.log1p(tl.exp(x)))
    elif KIND == "elu":
        return tl.where(x > 0, x, libdevice.expm1(x))
    else:
        return x * tl.minimum(tl.maximum(x + 3.0, 0.0), 6.0) / 6.0


@triton.jit
def apply(x_ptr, out_ptr, count, KIND: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < count)
    tl.store(out_ptr + index, activation(x, KIND), mask=index < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = x.new_empty((4, x.numel()))
        for row, kind in zip(out, ("mish", "softplus", "elu", "hardswish")):
            apply[(triton.cdiv(x.numel(), 512),)](x, row, x.numel(), KIND=kind, BLOCK=512)
        return out
