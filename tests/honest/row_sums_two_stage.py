# task: row_sums
# Partial sums in memory, and a second launch that adds them up; one part more than fills its block.
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
def finish(part, out, rows, PARTS: tl.constexpr, WIDE: tl.constexpr, ROWS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    p = tl.arange(0, WIDE)
    ok = (row[:, None] < rows) & (p[None, :] < PARTS)
    tl.store(out + row, tl.sum(tl.load(part + row[:, None] * PARTS + p[None, :], mask=ok, other=0.0), axis=1), mask=row < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        out = torch.empty(rows, device=x.device)
        part = torch.empty(rows, 5, device=x.device)
        partial[(rows, 5)](x, part, n, PARTS=5, STEP=1, BLOCK=256)
        finish[(triton.cdiv(rows, 16),)](part, out, rows, PARTS=5, WIDE=8, ROWS=16)
        return out
