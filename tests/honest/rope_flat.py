# task: rope
# Every element finds its partner by the dimension's half that it lies in.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rope(q, cos, sin, out, n, T, H, D: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    d = i % D
    t = i // (D * H) % T
    second = d >= D // 2
    k = t * (D // 2) + tl.where(second, d - D // 2, d)
    partner = tl.where(second, i - D // 2, i + D // 2)
    sign = tl.where(second, 1.0, -1.0)
    x, y = tl.load(q + i, mask=ok), tl.load(q + partner, mask=ok)
    tl.store(out + i, x * tl.load(cos + k, mask=ok) + sign * y * tl.load(sin + k, mask=ok), mask=ok)


class ModelNew(nn.Module):
    def forward(self, q, cos, sin):
        out = torch.empty_like(q, memory_format=torch.contiguous_format)
        rope[(triton.cdiv(q.numel(), 256),)](q, cos, sin, out, q.numel(), q.shape[1], q.shape[2], D=q.shape[3], BLOCK=256)
        return out
