# task: elementwise_chain  reason: interpret_timeout
# Waits for a flag that nobody sets.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gated_residual(x_ptr, gate_ptr, residual_ptr, out_ptr, flag_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    while tl.atomic_add(flag_ptr, 0) == 0:
        pass
    x = tl.load(x_ptr + index, mask=inside)
    gate = tl.load(gate_ptr + index, mask=inside)
    residual = tl.load(residual_ptr + index, mask=inside)
    tl.store(out_ptr + index, tl.maximum(x, 0.0) * tl.sigmoid(gate) + 0.5 * residual, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, gate, residual):
        out = torch.empty_like(x)
        count = x.numel()
        flag = torch.zeros(1, device=x.device, dtype=torch.int32)
        gated_residual[(triton.cdiv(count, 1024),)](x, gate, residual, out, flag, count, BLOCK=1024)
        return out
