# task: soft
# A workspace that the first call allocates and later ones reuse; a partial grid from functools.
import functools

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_totals(x_ptr, work_ptr, rows, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    m = tl.max(x, axis=0)
    tl.store(work_ptr + row, m)
    tl.store(work_ptr + rows + row, tl.sum(tl.exp(x - m), axis=0))


@triton.jit
def finish(x_ptr, work_ptr, out_ptr, rows, cols, count, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < count
    row = i // cols
    m, s = tl.load(work_ptr + row, mask=ok), tl.load(work_ptr + rows + row, mask=ok, other=1.0)
    tl.store(out_ptr + i, tl.exp(tl.load(x_ptr + i, mask=ok) - m) / s, mask=ok)


def blocks(count, meta):
    return (triton.cdiv(count, meta["BLOCK"]),)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.workspace = None

    @functools.lru_cache(maxsize=None)
    def width(self, cols):
        return triton.next_power_of_2(cols)

    def forward(self, x):
        rows, cols = x.shape
        if self.workspace is None or self.workspace.numel() < 2 * rows:
            self.workspace = torch.empty(2 * rows, device=x.device, dtype=torch.float32)
        out = torch.empty_like(x)
        row_totals[(rows,)](x, self.workspace, rows, cols, BLOCK=self.width(cols))
        finish[functools.partial(blocks, x.numel())](x, self.workspace, out, rows, cols, x.numel(), BLOCK=512)
        return out
