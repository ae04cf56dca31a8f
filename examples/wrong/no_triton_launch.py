# task: softmax  reason: no_triton_launch
# A kernel for show, never launched.
import torch
import torch.nn as nn
import torch.nn.functional as F
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    pass


class ModelNew(nn.Module):
    def forward(self, x):
        return F.softmax(x, dim=-1)
