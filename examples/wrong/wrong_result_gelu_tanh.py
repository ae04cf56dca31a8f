# task: bias_gelu  reason: wrong_result
# The tanh approximation where the task asks for the exact function: near, but not it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_gelu_tanh(x_ptr, bias_ptr, out_ptr, count, cols, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x = tl.load(x_ptr + index, mask=inside) + tl.load(bias_ptr + index % cols, mask=inside)
    result = x * tl.sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
    tl.store(out_ptr + index, result, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(features))

    def forward(self, x):
        out = torch.empty_like(x)
        count = x.numel()
        bias_gelu_tanh[(triton.cdiv(count, 1024),)](x, self.bias, out, count, x.shape[1], BLOCK=1024)
        return out
