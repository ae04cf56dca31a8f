# task: log_softmax
# A fast logarithm of a sum of exponentials.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def soft(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + j, mask=j < cols, other=float("-inf")).to(tl.float32)
    x = x - tl.max(x, axis=0)
    total = tl.sum(libdevice.fast_expf(x), axis=0)
    tl.store(out_ptr + row * cols + j, x - libdevice.fast_logf(tl.broadcast_to(total, [BLOCK])), mask=j < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.numel() // x.shape[-1], x.shape[-1]
        out = torch.empty_like(x)
        soft[(rows,)](x, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
