# task: buffer_of_one_number_listed
# The scale is read where the module keeps it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, o0_ptr, s_ptr, n_s, count, BLOCK: tl.constexpr):
    offs = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = offs < count
    x = tl.load(x_ptr + offs, mask=m)
    s = tl.load(s_ptr + offs % n_s)
    r = tl.maximum(x * s, 0.0)
    tl.store(o0_ptr + offs, r, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('s', torch.tensor([0.5] * 256))

    def forward(self, x):
        o0 = torch.empty_like(x)
        n = o0.numel()
        kernel[(triton.cdiv(n, 1024),)](x, o0, self.s, self.s.numel(), n, BLOCK=1024)
        return o0
