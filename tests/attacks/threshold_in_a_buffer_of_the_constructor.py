# task: threshold_in_a_buffer  reason: wrong_result
# The threshold is written into the kernel.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, out_ptr, t_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    t = tl.load(t_ptr)
    tl.store(out_ptr + i, (x >= 1.0).to(tl.float32), mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("t", torch.tensor(1.0))

    def forward(self, x):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(out.numel(), 1024),)](x, out, self.t, out.numel(), BLOCK=1024)
        return out
