# task: elementwise_chain  reason: not_ttir
# Gluon lies below Triton's target-independent form: there is nothing for the judge to read.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@triton.jit
def unused(x_ptr):
    tl.store(x_ptr, 0.0)


@gluon.jit
def gated_residual(x_ptr, gate_ptr, residual_ptr, out_ptr, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    inside = index < count
    x = gl.load(x_ptr + index, mask=inside)
    gate = gl.load(gate_ptr + index, mask=inside)
    residual = gl.load(residual_ptr + index, mask=inside)
    gl.store(out_ptr + index, gl.maximum(x, 0.0) / (1.0 + gl.exp(-gate)) + 0.5 * residual, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, gate, residual):
        out = torch.empty_like(x)
        count = x.numel()
        gated_residual[(triton.cdiv(count, 1024),)](x, gate, residual, out, count, BLOCK=1024)
        return out
