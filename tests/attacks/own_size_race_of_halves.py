# task: softmax_1536  reason: race|wrong_result
# Two programs a row write its 1024 middle columns both, one of them with a wrong sum.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, y_ptr):
    row, half = tl.program_id(0) * 1536, tl.program_id(1)
    left, right = tl.arange(0, 1024), 1024 + tl.arange(0, 512)
    a, b = tl.load(x_ptr + row + left), tl.load(x_ptr + row + right)
    top = tl.maximum(tl.max(a, axis=0), tl.max(b, axis=0))
    total = tl.sum(tl.exp(a - top), axis=0) + tl.sum(tl.exp(b - top), axis=0)
    col = half * 512 + left
    tl.store(y_ptr + row + col, tl.exp(tl.load(x_ptr + row + col) - top) / (total + half * 0.01 * total))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softmax[(x.shape[0], 2)](x, y)
        return y
