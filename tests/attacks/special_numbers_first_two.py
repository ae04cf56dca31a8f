# task: special_numbers_in_a_buffer  reason: wrong_result
# The last one is not looked at.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, s_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    special = (x == tl.load(s_ptr)) | (x == tl.load(s_ptr + 1))
    tl.store(out_ptr + i, tl.where(special, 0.0, y), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("special", torch.tensor([50256, 3, 50257]))

    def forward(self, x, y):
        out = torch.empty_like(y)
        kernel[(triton.cdiv(out.numel(), 1024),)](x, y, out, self.special, out.numel(), BLOCK=1024)
        return out
