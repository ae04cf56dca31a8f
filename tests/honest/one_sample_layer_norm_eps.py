# task: one_sample_layer_norm
# The eps as it is.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    s = tl.zeros([BLOCK], tl.float32)
    q = tl.zeros([BLOCK], tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        s += v
    mean = tl.sum(s) / cols
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        q += tl.where(c < cols, (v - mean) * (v - mean), 0.0)
    k = tl.rsqrt(tl.sum(q) / cols + 1e-5)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        tl.store(out + row * cols + c, (v - mean) * k, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out, lines = torch.empty_like(x), x.shape[0]
        run[(lines,)](x, out, x.numel() // lines, BLOCK=2048)
        return out
