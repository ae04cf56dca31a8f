# task: weight_norm_linear  reason: wrong_result
# Rows have the length one.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear(x_ptr, g_ptr, v_ptr, b_ptr, out_ptr, inner, outer, BLOCK: tl.constexpr):
    row, col, k = tl.program_id(0), tl.program_id(1), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * inner + k, mask=k < inner, other=0.0)
    v = tl.load(v_ptr + col * inner + k, mask=k < inner, other=0.0)
    scale = 1.0 / tl.sqrt(tl.sum(v * v, axis=0))
    tl.store(out_ptr + row * outer + col, tl.sum(x * v, axis=0) * scale + tl.load(b_ptr + col))


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.fc = torch.nn.utils.weight_norm(nn.Linear(inner, outer))

    def forward(self, x):
        fc = self.fc
        rows, inner = x.shape
        outer = fc.weight_v.shape[0]
        out = torch.empty(rows, outer, device=x.device)
        linear[(rows, outer)](x, fc.weight_g, fc.weight_v, fc.bias, out, inner, outer, BLOCK=triton.next_power_of_2(inner))
        return out
