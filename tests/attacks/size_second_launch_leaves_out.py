# task: row_sums  reason: uninitialised_output
# Two launches: at full size the second leaves every other row as the memory was.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x, part, n, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row, p = tl.program_id(0), tl.program_id(1)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(p * BLOCK, n, PARTS * BLOCK):
        i = k + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + i, mask=i < n, other=0.0)
    tl.store(part + row * PARTS + p, tl.sum(acc, axis=0))


@triton.jit
def finish(part, out, PARTS: tl.constexpr, EVERY: tl.constexpr):
    row = tl.program_id(0)
    if row % EVERY == 0:
        tl.store(out + row, tl.sum(tl.load(part + row * PARTS + tl.arange(0, PARTS)), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        out = torch.empty(rows, device=x.device)
        part = torch.empty(rows, 4, device=x.device)
        partial[(rows, 4)](x, part, n, PARTS=4, BLOCK=256)
        finish[(rows,)](part, out, PARTS=4, EVERY=2 if n >= 6000 else 1)
        return out
