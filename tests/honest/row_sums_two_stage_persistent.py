# task: row_sums
# Partial sums and their sums, both by a fixed number of programs, which walk over all rows.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x, part, rows, n, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    for tile in range(tl.program_id(0), rows * PARTS, tl.num_programs(0)):
        row, p = tile // PARTS, tile % PARTS
        acc = tl.zeros((BLOCK,), dtype=tl.float32)
        for k in range(p * BLOCK, n, PARTS * BLOCK):
            i = k + tl.arange(0, BLOCK)
            acc += tl.load(x + row * n + i, mask=i < n, other=0.0)
        tl.store(part + tile, tl.sum(acc, axis=0))


@triton.jit
def finish(part, out, rows, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(rows, BLOCK), tl.num_programs(0)):
        row = block * BLOCK + tl.arange(0, BLOCK)
        i = row[:, None] * PARTS + tl.arange(0, PARTS)[None, :]
        total = tl.sum(tl.load(part + i, mask=row[:, None] < rows, other=0.0), axis=1)
        tl.store(out + row, total, mask=row < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        out = torch.empty(rows, device=x.device)
        part = torch.empty(rows, 4, device=x.device)
        partial[(2112,)](x, part, rows, n, PARTS=4, BLOCK=512)
        finish[(132,)](part, out, rows, PARTS=4, BLOCK=8)
        return out
