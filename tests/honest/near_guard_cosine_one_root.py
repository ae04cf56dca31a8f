# task: cosine_guarded
# One root of the product of both sums of squares.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    a = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
    b = tl.load(y + row * cols + c, mask=c < cols, other=0.0)
    p = tl.sqrt(tl.sum(a * a) * tl.sum(b * b))
    r = tl.sum(a * b) / (p + 1e-8)
    tl.store(out + row, r)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty(x.shape[0], device=x.device)
        run[(x.shape[0],)](x, y, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
