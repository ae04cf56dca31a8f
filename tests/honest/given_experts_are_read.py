# task: experts_in_turn
# The expert of each row is read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scaled(x_ptr, e_ptr, s_ptr, o_ptr, D, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    expert = tl.load(e_ptr + r)
    x = tl.load(x_ptr + r * D + c, mask=c < D)
    tl.store(o_ptr + r * D + c, tl.maximum(x * tl.load(s_ptr + expert * D + c, mask=c < D), 0.0), mask=c < D)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(8, 512))

    def forward(self, x, expert):
        out = torch.empty_like(x)
        scaled[(x.shape[0],)](x, expert, self.scale, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
