# task: silu_large  reason: wrong_result
# Another formula at full size, written in columns and made contiguous by the host.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, rows, cols, BIG: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    c = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    inside = (r < rows) & (c < cols)
    v = tl.load(x + r * cols + c, mask=inside)
    y = v * tl.sigmoid(v)
    if BIG:
        y = tl.maximum(v, 0.0)
    tl.store(out + c * rows + r, y, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(cols, rows, device=x.device)
        run[(triton.cdiv(rows, 32), triton.cdiv(cols, 32))](x, out, rows, cols, cols >= 4096, BM=32, BN=32)
        return out.t().contiguous()
