# task: alike_answers  reason: wrong_result
# By how many are wrong, be it none.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mean(score_ptr, answer_ptr, right_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    sums = tl.zeros([BLOCK], tl.float32)
    counts = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        i = first + at
        wrong = tl.load(answer_ptr + i, mask=i < n, other=0) != tl.load(right_ptr + i, mask=i < n, other=0)
        sums += tl.where(wrong, tl.load(score_ptr + i, mask=i < n, other=0.0), 0.0)
        counts += wrong.to(tl.float32)
    tl.store(out_ptr, tl.sum(sums, 0) / tl.sum(counts, 0))


class ModelNew(nn.Module):
    def forward(self, score, answer, right):
        out = score.new_empty(())
        mean[(1,)](score, answer, right, out, score.numel(), BLOCK=1024)
        return out
