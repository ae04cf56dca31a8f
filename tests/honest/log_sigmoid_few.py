# task: log_sigmoid_few
# One program for all of a short vector.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log_sigmoid(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    e = tl.exp(-tl.abs(v))
    tl.store(out + i, tl.minimum(v, 0.0) - tl.log(1.0 + e), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        log_sigmoid[(1,)](x, out, n, BLOCK=triton.next_power_of_2(n))
        return out
