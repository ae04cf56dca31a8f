# task: row_sums
# tl.view reorders here, which a sum of all elements does not mind.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(0, n, BLOCK):
        i = k + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + i, mask=i < n, other=0.0)
    parts = tl.sum(tl.view(acc, (BLOCK // 32, 32)), axis=1)
    tl.store(out + row, tl.sum(parts, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        sums[(x.shape[0],)](x, out, x.shape[1], BLOCK=1024)
        return out
