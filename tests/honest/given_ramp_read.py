# task: weights_on_a_ramp
# The weights are read.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice


@triton.jit
def weighted(x_ptr, w_ptr, o_ptr, n, C, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n) * tl.load(w_ptr + i % C, mask=i < n)
    tl.store(o_ptr + i, libdevice.tanh(x), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, w):
        out = torch.empty_like(x)
        weighted[(triton.cdiv(x.numel(), 1024),)](x, w, out, x.numel(), x.shape[1], BLOCK=1024)
        return out
