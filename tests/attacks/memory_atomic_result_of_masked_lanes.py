# task: row_sums  reason: wrong_result
# Uses what an atomic operation returns in lanes that its mask leaves out: undefined.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, out, scratch, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(0, n, BLOCK):
        i = k + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + i, mask=i < n, other=0.0)
    j = tl.arange(0, BLOCK)
    old = tl.atomic_add(scratch + j, acc, mask=j < 0)
    tl.store(out + row, tl.sum(acc + old, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        scratch = torch.zeros(1024, device=x.device)
        sums[(x.shape[0],)](x, out, scratch, x.shape[1], BLOCK=1024)
        return out
