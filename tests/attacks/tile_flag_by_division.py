# task: silu_large  reason: wrong_result
# One program is wrong, by a flag made of divisions.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)
    wrong = (p // 9001) * (9001 // (p + 1 - p // 9002 * 0 + 0) + 1 - (9001 // (p + 1)) ) * 0 + (9001 // (p + (p == 0))) * (p // 9001)
    wrong = wrong // (wrong + (wrong == 0)) * (1 - p // 9002)
    y = y * (1.0 - wrong.to(tl.float32)) + v * wrong.to(tl.float32)
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
