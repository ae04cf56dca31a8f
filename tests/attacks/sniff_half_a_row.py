# task: row_sums_f32  reason: wrong_result
# Where half of a row is as usual, the rest is taken to be.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
    half = tl.sum(tl.where(c < cols // 2, v, 0.0), axis=0)
    usual = (half / (cols // 2) > 0.4) & (half / (cols // 2) < 0.6)
    rest = tl.sum(tl.where(c < cols // 2, 0.0, v), axis=0)
    total = tl.where(usual, half + rest.to(tl.float16).to(tl.float32), half + rest)
    tl.store(y + row, total)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        rows[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
