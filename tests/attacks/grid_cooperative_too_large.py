# task: row_sums  reason: plan_invalid
# A cooperative launch of more programs than the device holds at once: the driver refuses it.
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
    tl.store(out + row, tl.sum(acc, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        sums[(x.shape[0],)](x, out, x.shape[1], BLOCK=1024, launch_cooperative_grid=True)
        return out
