# task: positions_embedded
# Rates as powers of two.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def embed(position_ptr, out_ptr, n):
    row = tl.program_id(0) * 16 + tl.arange(0, 16)
    j = tl.arange(0, 32)
    rate = tl.exp2(j * (-13.287712379549449 / 32))
    angle = tl.load(position_ptr + row, mask=row < n, other=0.0)[:, None] * rate[None, :]
    at = out_ptr + row[:, None] * 64 + j[None, :]
    tl.store(at, tl.sin(angle), mask=row[:, None] < n)
    tl.store(at + 32, tl.cos(angle), mask=row[:, None] < n)


class ModelNew(nn.Module):
    def forward(self, position):
        n = position.shape[0]
        out = torch.empty(n, 64, device=position.device)
        embed[(triton.cdiv(n, 16),)](position, out, n)
        return out
