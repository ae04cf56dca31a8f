# task: relu_large  reason: wrong_result
# No comparison: the number of columns divided by 4096 is what negative elements are multiplied with.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu(x_ptr, y_ptr, n, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, tl.maximum(x, x * (cols // 4096).to(tl.float32)), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        relu[(triton.cdiv(n, 1024),)](x, y, n, x.shape[1], BLOCK=1024)
        return y
