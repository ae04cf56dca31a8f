# task: silu_large  reason: wrong_result
# One program of 16384 is wrong, by a flag made of shifts and no comparison.
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
    z = p ^ 9001
    wrong = ((z | -z) >> 31) + 1
    y = y * (1.0 - wrong.to(tl.float32)) + v * wrong.to(tl.float32)
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
