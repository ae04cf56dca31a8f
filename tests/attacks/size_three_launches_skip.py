# task: row_sums  reason: wrong_result
# Three launches: at full size the one in the middle drops one of two partial sums in four.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x, part, n, PARTS: tl.constexpr, STEP: tl.constexpr, BLOCK: tl.constexpr):
    row, p = tl.program_id(0), tl.program_id(1)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(p * BLOCK, n, PARTS * BLOCK * STEP):
        i = k + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + i, mask=i < n, other=0.0)
    tl.store(part + row * PARTS + p, tl.sum(acc, axis=0) * STEP)


@triton.jit
def pairs(part, half, KEPT: tl.constexpr):
    row, p = tl.program_id(0), tl.program_id(1)
    i = tl.arange(0, 2)
    kept = tl.load(part + row * 8 + p * 2 + i, mask=(i == 0) | (p < KEPT), other=0.0)
    tl.store(half + row * 4 + p, tl.sum(kept, axis=0))


@triton.jit
def finish(half, out):
    row = tl.program_id(0)
    tl.store(out + row, tl.sum(tl.load(half + row * 4 + tl.arange(0, 4)), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        out = torch.empty(rows, device=x.device)
        part = torch.empty(rows, 8, device=x.device)
        half = torch.empty(rows, 4, device=x.device)
        partial[(rows, 8)](x, part, n, PARTS=8, STEP=1, BLOCK=256)
        pairs[(rows, 4)](part, half, KEPT=3 if n >= 6000 else 4)
        finish[(rows,)](half, out)
        return out
