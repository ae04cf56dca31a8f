# task: elementwise_chain  reason: host_read
# The host branches on the data: the cheap path where nothing is negative.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gated_residual(x_ptr, gate_ptr, residual_ptr, out_ptr, count, RELU: tl.constexpr, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x = tl.load(x_ptr + index, mask=inside)
    if RELU:
        x = tl.maximum(x, 0.0)
    gate = tl.load(gate_ptr + index, mask=inside)
    residual = tl.load(residual_ptr + index, mask=inside)
    tl.store(out_ptr + index, x * tl.sigmoid(gate) + 0.5 * residual, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, gate, residual):
        out = torch.empty_like(x)
        count = x.numel()
        relu = True if (x < 0).any() else False
        gated_residual[(triton.cdiv(count, 1024),)](x, gate, residual, out, count, RELU=relu, BLOCK=1024)
        return out
