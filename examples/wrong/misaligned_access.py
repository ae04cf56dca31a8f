# task: elementwise_chain  reason: misaligned_access
# Reads two floats at a time through a pointer to 64-bit words, from the odd addresses as well.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gated_residual(x_ptr, gate_ptr, residual_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count - 1
    pairs = (x_ptr + index).to(tl.pointer_type(tl.int64), bitcast=True)
    x = (tl.load(pairs, mask=inside) & 0xFFFFFFFF).to(tl.int32).to(tl.float32, bitcast=True)
    gate = tl.load(gate_ptr + index, mask=inside)
    residual = tl.load(residual_ptr + index, mask=inside)
    tl.store(out_ptr + index, tl.maximum(x, 0.0) * tl.sigmoid(gate) + 0.5 * residual, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, gate, residual):
        out = torch.empty_like(x)
        count = x.numel()
        gated_residual[(triton.cdiv(count, 1024),)](x, gate, residual, out, count, BLOCK=1024)
        return out
