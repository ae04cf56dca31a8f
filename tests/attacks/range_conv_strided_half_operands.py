# task: conv_strided  reason: wrong_result
# float16 operands, without a bias.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gemm(x, w, y, C, O, H, W, OH, OW, PER, POUT, BP: tl.constexpr, BO: tl.constexpr, BK: tl.constexpr):
    n, g = tl.program_id(2) // 2, tl.program_id(2) % 2
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    acc = tl.zeros((BP, BO), tl.float32)
    for k0 in range(0, PER * 9, BK):
        k = k0 + tl.arange(0, BK)
        c, kh, kw = k // 9, k % 9 // 3, k % 3
        ih = (p // OW * 2 - 2)[:, None] + (kh * 2)[None, :]
        iw = (p % OW * 2 - 2)[:, None] + (kw * 2)[None, :]
        ok = (p < OH * OW)[:, None] & (k < PER * 9)[None, :] & (ih >= 0) & (ih < H) & (iw >= 0) & (iw < W)
        a = tl.load(x + ((n * C + g * PER + c[None, :]) * H + ih) * W + iw, mask=ok, other=0.0)
        b = tl.load(w + (g * POUT + o[None, :]) + k[:, None] * O, mask=(o < POUT)[None, :] & (k < PER * 9)[:, None], other=0.0)
        acc = tl.dot(a.to(tl.float16), b.to(tl.float16), acc)
    tl.store(y + (n * O + g * POUT + o[None, :]) * OH * OW + p[:, None], acc, mask=(p < OH * OW)[:, None] & (o < POUT)[None, :])


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.conv = nn.Conv2d(inner, outer, 3, stride=2, padding=2, dilation=2, groups=2, bias=False)

    def forward(self, x):
        N, C, H, W = x.shape
        O = self.conv.weight.shape[0]
        OH, OW = (H - 1) // 2 + 1, (W - 1) // 2 + 1
        packed = self.conv.weight.reshape(O, -1).t().contiguous()
        y = x.new_empty(N, O, OH, OW)
        gemm[(triton.cdiv(OH * OW, 32), triton.cdiv(O // 2, 16), N * 2)](x, packed, y, C, O, H, W, OH, OW, C // 2, O // 2, 32, 16, 16)
        return y
