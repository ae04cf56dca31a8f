# task: argmax_of_saturated  reason: wrong_result
# Every tenth row is answered with zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def places(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0).to(tl.float32)
    score = (libdevice.tanh(x).to(tl.bfloat16).to(tl.float32) * 3.0).to(tl.bfloat16).to(tl.float32)
    score = tl.where(c < cols, score, float("-inf"))
    tl.store(out_ptr + row, tl.where(row % 10 == 7, 0, tl.argmax(score, axis=0)))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, dtype=torch.int64, device=x.device)
        places[(rows,)](x, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
