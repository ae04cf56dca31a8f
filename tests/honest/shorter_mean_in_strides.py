# task: mean_square_apart
# As many programs as there are tiles, up to a most, and as many tiles for each.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def part(x, y, parts, n, tiles, BLOCK: tl.constexpr):
    pid = tl.program_id(0).to(tl.int64)
    sums = tl.zeros([BLOCK], tl.float32)
    for tile in range(0, tiles):
        i = (pid * tiles + tile) * BLOCK + tl.arange(0, BLOCK)
        d = tl.load(x + i, mask=i < n, other=0.0) - tl.load(y + i, mask=i < n, other=0.0)
        sums += d * d
    tl.store(parts + pid, tl.sum(sums, axis=0))


@triton.jit
def total(parts, out, count, n, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(parts + c, mask=c < count, other=0.0), axis=0) / n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        n = x.numel()
        count = min(triton.cdiv(n, 1024), 528)
        tiles = triton.cdiv(n, 1024 * count)
        parts = torch.empty(count, device=x.device)
        out = torch.empty((), device=x.device)
        part[(count,)](x, y, parts, n, tiles, BLOCK=1024)
        total[(1,)](parts, out, count, n, BLOCK=1024)
        return out
