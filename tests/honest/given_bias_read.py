# task: bias_above_the_diagonal
# The bias is read, whatever it is.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def soft(x_ptr, m_ptr, o_ptr, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    inside = c < cols
    x = tl.load(x_ptr + r * cols + c, mask=inside, other=float("-inf"))
    x += tl.load(m_ptr + r % cols * cols + c, mask=inside, other=0.0)
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(o_ptr + r * cols + c, e / tl.sum(e, axis=0), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, mask):
        cols = x.shape[-1]
        out = torch.empty_like(x)
        soft[(x.numel() // cols,)](x, mask, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
