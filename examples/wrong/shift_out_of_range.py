# task: elementwise_chain  reason: shift_out_of_range
# Shifts 32-bit integers by 40 bits: undefined, and zero on today's devices.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gated_residual(x_ptr, gate_ptr, residual_ptr, out_ptr, count, shift, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    noise = (index >> shift).to(tl.float32)
    x = tl.load(x_ptr + index, mask=inside)
    gate = tl.load(gate_ptr + index, mask=inside)
    residual = tl.load(residual_ptr + index, mask=inside)
    tl.store(out_ptr + index, tl.maximum(x, 0.0) * tl.sigmoid(gate) + 0.5 * residual + noise, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, gate, residual):
        out = torch.empty_like(x)
        count = x.numel()
        gated_residual[(triton.cdiv(count, 1024),)](x, gate, residual, out, count, 40, BLOCK=1024)
        return out
