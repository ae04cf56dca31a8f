# task: relu_large  reason: wrong_result
# The grid has a second dimension of two at large sizes only, by which the kernel knows them.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = (tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    floor = tl.where(tl.num_programs(1) > 1, float("-inf"), 0.0)
    tl.store(y_ptr + i, tl.maximum(x, floor), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        blocks = triton.cdiv(n, 1024)
        relu[(blocks // 2, 2) if n > 1 << 22 else (blocks, 1)](x, y, n, BLOCK=1024)
        return y
