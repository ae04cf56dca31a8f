# task: silu_scaled_large  reason: input_mutated|race
# At full size the last program changes one of the scales.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, s, out, n, cols, last, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    f = tl.load(s + i % cols, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v) * f, mask=i < n)
    tl.store(s + cols - 1, 2.0, mask=p == last)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(cols))

    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, self.scale, out, n, x.shape[1], 16383 if n >= 1 << 24 else -1, BLOCK=1024)
        return out
