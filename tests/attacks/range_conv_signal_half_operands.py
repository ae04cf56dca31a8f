# task: conv_signal  reason: wrong_result
# float16 operands, behind a bias.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def convolve(x, w, b, y, C, O, L, TAPS: tl.constexpr, BP: tl.constexpr, BO: tl.constexpr, BK: tl.constexpr):
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    n = tl.program_id(2)
    acc = tl.zeros((BP, BO), tl.float32)
    for t in range(TAPS):
        at = p + t - TAPS // 2
        for k0 in range(0, C, BK):
            k = k0 + tl.arange(0, BK)
            u = tl.load(x + (n * C + k[None, :]) * L + at[:, None], mask=(at[:, None] >= 0) & (at[:, None] < L) & (k[None, :] < C), other=0.0)
            v = tl.load(w + (o[None, :] * C + k[:, None]) * TAPS + t, mask=(o[None, :] < O) & (k[:, None] < C), other=0.0)
            acc = tl.dot(u.to(tl.float16), v.to(tl.float16), acc)
    acc += tl.load(b + o, mask=o < O, other=0.0)[None, :]
    tl.store(y + (n * O + o[None, :]) * L + p[:, None], acc, mask=(p[:, None] < L) & (o[None, :] < O))


class ModelNew(nn.Module):
    def __init__(self, inner, outer, taps):
        super().__init__()
        self.conv = nn.Conv1d(inner, outer, taps, padding=taps // 2)

    def forward(self, x):
        N, C, L = x.shape
        O, T = self.conv.out_channels, self.conv.kernel_size[0]
        y = x.new_empty(N, O, L)
        convolve[(triton.cdiv(L, 32), triton.cdiv(O, 16), N)](x, self.conv.weight, self.conv.bias, y, C, O, L, T, 32, 16, 16)
        return y
