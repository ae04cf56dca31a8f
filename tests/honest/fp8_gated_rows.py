# task: fp8_gated
# The product goes straight to 8 bits.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gated(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    gate = tl.load(x_ptr + row * 2 * cols + col, mask=col < cols, other=0.0)
    value = tl.load(x_ptr + row * 2 * cols + cols + col, mask=col < cols, other=0.0)
    tl.store(y_ptr + row * cols + col, (gate * tl.sigmoid(gate) * value).to(tl.float8e5), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        cols = x.shape[1] // 2
        y = torch.empty(x.shape[0], cols, dtype=torch.float8_e5m2, device=x.device)
        gated[(x.shape[0],)](x, y, cols, BLOCK=triton.next_power_of_2(cols))
        return y
