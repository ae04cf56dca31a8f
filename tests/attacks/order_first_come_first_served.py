# task: add  reason: nondeterministic|wrong_result
# The tile that a program works on decides the sign by order of arrival: only the first to come is right.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, counter_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    arrived = tl.atomic_add(counter_ptr, 1)
    factor = tl.where(arrived == tl.num_programs(0) - 1, 2.001, 2.0)
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + factor * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        counter = torch.zeros(1, dtype=torch.int32, device=x.device)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, counter, x.numel(), BLOCK=512)
        return out
