# task: entropy_large
# One program a row, and one for the mean.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def entropies(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    top, total, weighted = float("-inf"), 0.0, 0.0
    for begin in range(0, n, BLOCK):
        c = begin + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row.to(tl.int64) * n + c, mask=c < n, other=float("-inf"))
        higher = tl.maximum(top, tl.max(x, axis=0))
        p = tl.exp(x - higher)
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(p, axis=0)
        weighted = weighted * shrink + tl.sum(tl.where(x > float("-inf"), p * x, 0.0), axis=0)
        top = higher
    entropy = top + tl.log(total) - weighted / total
    tl.store(out_ptr + row, entropy)


@triton.jit
def mean(values_ptr, out_ptr, count, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, count, BLOCK):
        index = begin + tl.arange(0, BLOCK)
        total += tl.load(values_ptr + index, mask=index < count, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0) / count)


class ModelNew(nn.Module):
    def forward(self, logits):
        rows, n = logits.shape
        each, out = logits.new_empty(rows), logits.new_empty(())
        entropies[(rows,)](logits, each, n, BLOCK=1024)
        mean[(1,)](each, out, rows, BLOCK=1024)
        return out
