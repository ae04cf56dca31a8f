# task: add  reason: interpret_timeout
# Waits for a flag that nobody raises.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, flag_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)
    while tl.atomic_add(flag_ptr, 0) == 0:
        pass


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        flag = torch.zeros(1, dtype=torch.int32, device=x.device)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, flag, x.numel(), BLOCK=512)
        return out
