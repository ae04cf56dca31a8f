# task: conv1d_causal
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv(x, w, b, y, D, T, W: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    d = row % D
    t = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32) + tl.load(b + d)
    for j in tl.static_range(W):
        s = t + j - (W - 1)
        acc += tl.load(w + d * W + j) * tl.load(x + row * T + s, mask=(s >= 0) & (s < T), other=0.0)
    tl.store(y + row * T + t, acc * tl.sigmoid(acc), mask=t < T)


class ModelNew(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.conv = nn.Conv1d(dim, dim, width, groups=dim, padding=width - 1)

    def forward(self, x):
        B, D, T = x.shape
        y = torch.empty_like(x)
        conv[(B * D, triton.cdiv(T, 64))](x, self.conv.weight, self.conv.bias, y, D, T, W=self.conv.kernel_size[0], BLOCK=64)
        return y
