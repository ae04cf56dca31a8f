# task: ignored_label  reason: wrong_result
# The loss of a row whose label is ignored is not zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def losses(x, y, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + c, mask=c < cols, other=float("-inf"))
    label = tl.load(y + row)
    m = tl.max(v, axis=0)
    total = tl.log(tl.sum(tl.exp(v - m), axis=0)) + m
    at = tl.sum(tl.where(c == label, v, 0.0), axis=0)
    tl.store(out + row, total - at)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty(x.shape[0], device=x.device)
        losses[(x.shape[0],)](x, y, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
