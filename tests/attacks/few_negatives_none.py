# task: few_negatives  reason: wrong_result
# By how many there are, be it none.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(score_ptr, label_ptr, out_ptr, N: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, N)
    other = (tl.load(label_ptr + at) != tl.load(label_ptr + row)).to(tl.float32)
    score = tl.load(score_ptr + row * N + at)
    tl.store(out_ptr + row, tl.sum(score * other, 0) / tl.sum(other, 0))


class ModelNew(nn.Module):
    def forward(self, score, label):
        out = score.new_empty(score.shape[0])
        means[(score.shape[0],)](score, label, out, N=score.shape[0])
        return out
