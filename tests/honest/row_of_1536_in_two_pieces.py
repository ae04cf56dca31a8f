# task: softmax_1536
# A row of 1536 is a piece of 1024 and one of 512.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, y_ptr):
    row = tl.program_id(0) * 1536
    left, right = row + tl.arange(0, 1024), row + 1024 + tl.arange(0, 512)
    a, b = tl.load(x_ptr + left), tl.load(x_ptr + right)
    top = tl.maximum(tl.max(a, axis=0), tl.max(b, axis=0))
    a, b = tl.exp(a - top), tl.exp(b - top)
    total = tl.sum(a, axis=0) + tl.sum(b, axis=0)
    tl.store(y_ptr + left, a / total)
    tl.store(y_ptr + right, b / total)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softmax[(x.shape[0],)](x, y)
        return y
