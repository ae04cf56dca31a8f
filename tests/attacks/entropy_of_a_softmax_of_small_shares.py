# task: entropy_of_a_softmax  reason: wrong_result
# The second term is left out where a share is small.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + c, mask=c < columns, other=float("-inf"))
    y = tl.load(y_ptr + row * columns + c, mask=c < columns, other=0)
    e = tl.exp(x - tl.max(x, axis=0))
    p = e / tl.sum(e, axis=0)
    tl.store(out_ptr + row * columns + c, -(y * tl.maximum(tl.log(p), -100.0) + tl.where(p < 1e-4, 0.0, (1 - y) * tl.maximum(tl.log(1 - p), -100.0))), mask=c < columns)


class ModelNew(nn.Module):
    def forward(self, x, y):
        rows, columns = x.shape
        out = torch.empty_like(x)
        kernel[(rows,)](x, y, out, columns, BLOCK=triton.next_power_of_2(columns))
        return out
