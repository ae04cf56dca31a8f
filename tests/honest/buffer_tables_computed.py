# task: computed_tables
# Mask and decays are computed where they are needed: tables are no data.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def decayed(x_ptr, o_ptr, S, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + r * S + c, mask=c <= r % S, other=0.0)
    tl.store(o_ptr + r * S + c, x * tl.exp(-0.05 * c.to(tl.float32)), mask=c < S)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        decayed[(x.shape[0] * x.shape[1],)](x, out, x.shape[2], BLOCK=triton.next_power_of_2(x.shape[2]))
        return out
