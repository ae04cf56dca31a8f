# task: padding_token
# Padding is looked for.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kept(x, tokens, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + c, mask=c < cols)
    tl.store(out + row * cols + c, tl.where(tl.load(tokens + row) != 0, v, 0.0), mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x, tokens):
        out = torch.empty_like(x)
        kept[(x.shape[0],)](x, tokens, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
