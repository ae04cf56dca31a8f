# task: activations
# Kernels kept in a table on the module and launched in a loop; results gathered by views of one allocation.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def mish(x):
    return x * libdevice.tanh(libdevice.log(1.0 + tl.exp(-tl.abs(x))) + tl.maximum(x, 0.0))


@triton.jit
def softplus(x):
    return libdevice.log(1.0 + tl.exp(-tl.abs(x))) + tl.maximum(x, 0.0)


@triton.jit
def elu(x):
    return tl.maximum(x, 0.0) + tl.minimum(tl.exp(x) - 1.0, 0.0)


@triton.jit
def hardswish(x):
    return x * tl.fdiv(tl.minimum(tl.maximum(x + 3.0, 0.0), 6.0), 6.0)


@triton.jit
def unary(x_ptr, y_ptr, n, f: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, f(tl.load(x_ptr + i, i < n, 0.0)), i < n)


class ModelNew(nn.Module):
    functions = {"mish": mish, "softplus": softplus, "elu": elu, "hardswish": hardswish}

    def forward(self, x):
        out = torch.empty((len(self.functions),) + x.shape, dtype=x.dtype, device=x.device)
        for i, f in enumerate(self.functions.values()):
            unary[triton.cdiv(x.numel(), 1024), 1, 1](x, out[i], x.numel(), f, BLOCK=1024)
        return out
