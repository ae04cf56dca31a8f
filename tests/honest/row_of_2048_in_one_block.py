# task: rms_norm_2048
# One block of 2048 for a row of 2048: nothing to mask, and the width is written into the kernel.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm(x_ptr, gain_ptr, y_ptr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, 2048)
    x = tl.load(x_ptr + row * 2048 + col)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / 2048 + 1e-5)
    tl.store(y_ptr + row * 2048 + col, x * scale * tl.load(gain_ptr + col))


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        y = torch.empty_like(x)
        rms_norm[(x.shape[0],)](x, self.gain, y, num_warps=8)
        return y
