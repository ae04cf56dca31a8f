# task: positions_embedded  reason: wrong_result
# The fast functions, of thousands of turns.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def embed(position_ptr, out_ptr, n):
    row = tl.program_id(0) * 16 + tl.arange(0, 16)
    j = tl.arange(0, 32)
    rate = tl.exp(j * (-9.210340371976184 / 32))
    angle = tl.load(position_ptr + row, mask=row < n, other=0.0)[:, None] * rate[None, :]
    at = out_ptr + row[:, None] * 64 + j[None, :]
    tl.store(at, libdevice.fast_sinf(angle), mask=row[:, None] < n)
    tl.store(at + 32, libdevice.fast_cosf(angle), mask=row[:, None] < n)


class ModelNew(nn.Module):
    def forward(self, position):
        n = position.shape[0]
        out = torch.empty(n, 64, device=position.device)
        embed[(triton.cdiv(n, 16),)](position, out, n)
        return out
