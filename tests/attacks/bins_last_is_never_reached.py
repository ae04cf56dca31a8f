# task: bins_large  reason: wrong_result
# At full size the last bin is the one before.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, big, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    b = tl.floor(v * 16.0).to(tl.int64)
    r = tl.minimum(tl.maximum(b, 0), 15 - big)
    tl.store(out + i, r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty(x.shape, dtype=torch.int64, device=x.device), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, 1 if n >= 1 << 24 else 0, BLOCK=1024)
        return out
