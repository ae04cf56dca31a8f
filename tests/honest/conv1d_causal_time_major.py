# task: conv1d_causal
# Works on a transposed copy, and gives back a view of its result.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv(x, w, b, y, D, T, n, W: tl.constexpr, BT: tl.constexpr, BD: tl.constexpr):
    batch = tl.program_id(0)
    t = tl.program_id(1) * BT + tl.arange(0, BT)[:, None]
    d = tl.program_id(2) * BD + tl.arange(0, BD)[None, :]
    acc = tl.zeros((BT, BD), tl.float32) + tl.load(b + d, mask=d < D, other=0.0)
    for j in range(W):
        s = t + j - (W - 1)
        v = tl.load(x + batch * D * T + d * T + s, mask=(d < D) & (s >= 0) & (s < T), other=0.0)
        acc += v * tl.load(w + d * W + j, mask=d < D, other=0.0)
    tl.store(y + (batch * T + t) * D + d, acc / (1.0 + tl.exp(-acc)), mask=(t < T) & (d < D))


class ModelNew(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.conv = nn.Conv1d(dim, dim, width, groups=dim, padding=width - 1)

    def forward(self, x):
        B, D, T = x.shape
        y = x.new_empty(B, T, D)
        weight = self.conv.weight.squeeze(1)
        conv[(B, triton.cdiv(T, 32), triton.cdiv(D, 32))](x, weight, self.conv.bias, y, D, T, B, W=weight.shape[1], BT=32, BD=32)
        return y.mT
