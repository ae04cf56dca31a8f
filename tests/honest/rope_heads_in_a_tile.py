# task: rope
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rope(q, cos, sin, out, T, H, HALF: tl.constexpr, BH: tl.constexpr):
    row = tl.program_id(0)
    h, d = tl.arange(0, BH), tl.arange(0, HALF)
    c = tl.load(cos + row % T * HALF + d)
    s = tl.load(sin + row % T * HALF + d)
    at = (row * H + h[:, None]) * 2 * HALF + d[None, :]
    ok = (h < H)[:, None]
    a, b = tl.load(q + at, mask=ok), tl.load(q + at + HALF, mask=ok)
    tl.store(out + at, a * c - b * s, mask=ok)
    tl.store(out + at + HALF, b * c + a * s, mask=ok)


class ModelNew(nn.Module):
    def forward(self, q, cos, sin):
        B, T, H, D = q.shape
        out = torch.empty_like(q)
        rope[(B * T,)](q, cos, sin, out, T, H, HALF=D // 2, BH=triton.next_power_of_2(H))
        return out
