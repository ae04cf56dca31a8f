# task: silu_large  reason: wrong_result
# Programs with a stride stop a few rounds early at full size; the host has filled the output.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, rounds, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    for r in range(rounds):
        i = (r * 64 + p) * BLOCK + tl.arange(0, BLOCK)
        v = tl.load(x + i, mask=i < n)
        tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.full_like(x, 0.2), x.numel()
        rounds = triton.cdiv(n, 1024 * 64)
        run[(64,)](x, out, n, rounds - 2 if n >= 1 << 24 else rounds, BLOCK=1024)
        return out
