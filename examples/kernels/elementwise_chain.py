# task: elementwise_chain
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gated_residual(x_ptr, gate_ptr, residual_ptr, out_ptr, count, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < count
    x = tl.load(x_ptr + offsets, mask=inside)
    gate = tl.load(gate_ptr + offsets, mask=inside)
    residual = tl.load(residual_ptr + offsets, mask=inside)
    result = tl.maximum(x, 0.0) * tl.sigmoid(gate) + 0.5 * residual
    tl.store(out_ptr + offsets, result, mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, gate, residual):
        x, gate, residual = x.contiguous(), gate.contiguous(), residual.contiguous()
        out = torch.empty_like(x)
        count = x.numel()
        grid = lambda meta: (triton.cdiv(count, meta["BLOCK"]),)
        gated_residual[grid](x, gate, residual, out, count, BLOCK=1024)
        return out
