# task: conv_transpose
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def up(x, w, b, y, C, O, H, W, BLOCK: tl.constexpr):
    n, o = tl.program_id(0), tl.program_id(1)
    i = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    oh, ow = i // (2 * W), i % (2 * W)
    mask = i < 4 * H * W
    acc = tl.full((BLOCK,), 0.0, tl.float32) + tl.load(b + o)
    for c in range(C):
        v = tl.load(x + (n * C + c) * H * W + oh // 2 * W + ow // 2, mask=mask, other=0.0)
        acc += v * tl.load(w + (c * O + o) * 4 + (oh & 1) * 2 + (ow & 1))
    tl.store(y + (n * O + o) * 4 * H * W + i, acc, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.up = nn.ConvTranspose2d(inner, outer, 2, stride=2)

    def forward(self, x):
        n, c, h, w = x.shape
        o = self.up.out_channels
        y = torch.empty(n, o, 2 * h, 2 * w, device=x.device)
        up[(n, o, triton.cdiv(4 * h * w, 256))](x, self.up.weight, self.up.bias, y, c, o, h, w, BLOCK=256)
        return y
