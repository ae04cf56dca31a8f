# task: batch_norm_eval
# Views of the statistics under other strides, one program per feature, loops over batch and time.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, packed, y, B, C, L, eps, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    mean, var = tl.load(packed + c), tl.load(packed + C + c)
    w, b = tl.load(packed + 2 * C + c), tl.load(packed + 3 * C + c)
    scale = w / tl.sqrt(var + eps)
    for n in range(B):
        for begin in range(0, L, BLOCK):
            i = begin + tl.arange(0, BLOCK)
            v = (tl.load(x + (n * C + c) * L + i, mask=i < L) - mean) * scale + b
            tl.store(y + (n * C + c) * L + i, tl.where(v > 0, v, v * 0.1), mask=i < L)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.bn = nn.BatchNorm1d(features)
        self.bn.running_mean.copy_(torch.linspace(-1, 1, features))
        self.bn.running_var.copy_(torch.linspace(0.5, 2, features))
        self.eval()

    def forward(self, x):
        b, c, l = x.shape
        bn = self.bn
        packed = torch.empty(4, c, device=x.device)
        for row, source in zip(packed, (bn.running_mean, bn.running_var, bn.weight, bn.bias)):
            row.copy_(source)
        y = torch.empty_like(x)
        kernel[(c,)](x, packed, y, b, c, l, bn.eps, BLOCK=32)
        return y
