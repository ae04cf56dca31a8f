# task: row_sums  reason: interpret_timeout
# A barrier of more programs than any device holds at once: it never ends.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, out, arrived, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(0, n, BLOCK):
        i = k + tl.arange(0, BLOCK)
        acc += tl.load(x + row * n + i, mask=i < n, other=0.0)
    tl.store(out + row, tl.sum(acc, axis=0))
    tl.debug_barrier()
    tl.atomic_add(arrived, 1, sem="release")
    while tl.atomic_add(arrived, 0, sem="acquire") < tl.num_programs(0):
        pass


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        arrived = torch.zeros(1, dtype=torch.int32, device=x.device)
        sums[(x.shape[0],)](x, out, arrived, x.shape[1], BLOCK=1024)
        return out
