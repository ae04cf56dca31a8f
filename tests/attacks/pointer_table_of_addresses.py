# task: add  reason: int_to_ptr
# Addresses of the inputs travel in a tensor of integers.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(table, out_ptr, count, BLOCK: tl.constexpr):
    x_ptr = tl.load(table).to(tl.pointer_type(tl.float32))
    y_ptr = tl.load(table + 1).to(tl.pointer_type(tl.float32))
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        table = torch.tensor([x.data_ptr(), y.data_ptr()], device=x.device)
        add[(triton.cdiv(x.numel(), 512),)](table, out, x.numel(), BLOCK=512)
        return out
