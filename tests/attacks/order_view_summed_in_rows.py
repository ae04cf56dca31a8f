# task: row_sums  reason: wrong_result
# tl.view may reorder, and does so to make the sums cheap: each sum is of other elements than its row's.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, out, rows, n, R: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0) * R
    acc = tl.zeros((R,), dtype=tl.float32)
    flat = tl.arange(0, R * BLOCK)
    row, column = first + flat // BLOCK, flat % BLOCK
    for k in range(0, n, BLOCK):
        v = tl.load(x + row * n + k + column, mask=(row < rows) & (k + column < n), other=0.0)
        acc += tl.sum(tl.view(v, (R, BLOCK)), axis=1)
    i = first + tl.arange(0, R)
    tl.store(out + i, acc, mask=i < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        sums[(triton.cdiv(x.shape[0], 32),)](x, out, x.shape[0], x.shape[1], R=32, BLOCK=32)
        return out
