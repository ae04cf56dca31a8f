# task: row_sums  reason: input_mutated
# At full size each row adds its sum to the first element of the input.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(1, n, BLOCK):
        i = k + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + i, mask=i < n, other=0.0)
    total = tl.sum(acc, axis=0)
    total += tl.load(x + row * n)
    if BIG:
        tl.atomic_add(x + row * n + 5, 1.0, sem="relaxed")
    tl.store(out + row, total)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        out = torch.empty(rows, device=x.device)
        sums[(rows,)](x, out, n, BIG=n >= 6000, BLOCK=256)
        return out
