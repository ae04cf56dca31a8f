# task: row_sums
# Two programs to a row: the first waits for the second one's half. The grid is larger than any device holds at once.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, out, half, ready, n, BLOCK: tl.constexpr):
    row, part = tl.program_id(0) // 2, tl.program_id(0) % 2
    middle = tl.cdiv(n, 2)
    first, last = part * middle, tl.minimum(n, part * middle + middle)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(first, last, BLOCK):
        i = k + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + i, mask=i < last, other=0.0)
    total = tl.sum(acc, axis=0)
    if part == 1:
        tl.store(half + row, total)
        tl.debug_barrier()
        tl.atomic_xchg(ready + row, 1, sem="release")
    else:
        while tl.atomic_add(ready + row, 0, sem="acquire") == 0:
            pass
        tl.debug_barrier()
        tl.store(out + row, total + tl.load(half + row))


class ModelNew(nn.Module):
    def forward(self, x):
        rows = x.shape[0]
        out, half = torch.empty(rows, device=x.device), torch.empty(rows, device=x.device)
        ready = torch.zeros(rows, dtype=torch.int32, device=x.device)
        sums[(2 * rows,)](x, out, half, ready, x.shape[1], BLOCK=1024)
        return out
