# task: rms_norm_2048  reason: wrong_result
# Wide rows are normalised without the eps, which shows in rows of small elements only.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm(x_ptr, gain_ptr, y_ptr, dim, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * dim
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + col, mask=col < dim, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / dim + eps)
    tl.store(y_ptr + row + col, x * scale * tl.load(gain_ptr + col, mask=col < dim), mask=col < dim)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        y = torch.empty_like(x)
        rows, dim = x.shape
        rms_norm[(rows,)](x, self.gain, y, dim, 1e-5 if dim < 2048 else 1e-12, BLOCK=triton.next_power_of_2(dim))
        return y
