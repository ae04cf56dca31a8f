# task: loss_of_any_labels
# Where no label counts the loss is zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def losses(x, y, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    a = tl.load(x + row * cols + c, mask=c < cols, other=float('-inf'))
    label = tl.load(y + row)
    most = tl.max(a)
    score = tl.sum(tl.where(c == tl.maximum(label, 0), a, 0.0))
    loss = most + tl.log(tl.sum(tl.exp(a - most))) - score
    tl.store(out + row, tl.where(label != -100, loss, 0.0))


@triton.jit
def mean(parts, y, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = tl.sum(tl.load(parts + i, mask=i < n, other=0.0))
    count = tl.sum((tl.load(y + i, mask=i < n, other=-100) != -100).to(tl.int32))
    tl.store(out, total / tl.maximum(count, 1))


class ModelNew(nn.Module):
    def forward(self, x, y):
        parts = torch.empty(x.shape[0], device=x.device)
        out = torch.empty((), device=x.device)
        losses[(x.shape[0],)](x, y, parts, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        mean[(1,)](parts, y, out, x.shape[0], BLOCK=triton.next_power_of_2(x.shape[0]))
        return out
