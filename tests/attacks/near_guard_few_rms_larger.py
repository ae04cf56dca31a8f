# task: few_rows_rms  reason: wrong_result
# The larger of the mean square and its guard, of two rows.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    s = tl.zeros([BLOCK], tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        s += v * v
    k = tl.rsqrt(tl.maximum(tl.sum(s) / cols, 1e-5))
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        tl.store(out + row * cols + c, v * k, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out, lines = torch.empty_like(x), x.shape[0]
        run[(lines,)](x, out, x.numel() // lines, BLOCK=2048)
        return out
