# task: elementwise_chain  reason: address_overflow
# The offset has a term of index * 2^32, which vanishes only because 32-bit products wrap around.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gated_residual(x_ptr, gate_ptr, residual_ptr, out_ptr, count, step, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    offset = index + index * step * step
    x = tl.load(x_ptr + offset, mask=inside)
    gate = tl.load(gate_ptr + offset, mask=inside)
    residual = tl.load(residual_ptr + offset, mask=inside)
    tl.store(out_ptr + offset, tl.maximum(x, 0.0) * tl.sigmoid(gate) + 0.5 * residual, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, gate, residual):
        out = torch.empty_like(x)
        count = x.numel()
        gated_residual[(triton.cdiv(count, 1024),)](x, gate, residual, out, count, 1 << 16, BLOCK=1024)
        return out
