# task: argument_turn  reason: wrong_result
# Turns by three at most.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def turn(x_ptr, y_ptr, cols, places, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + (c - tl.minimum(places, 3) + cols) % cols, mask=c < cols, other=0.0)
    tl.store(y_ptr + row * cols + c, 2.0 * tl.sigmoid(2.0 * x) - 1.0, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x, places):
        y = torch.empty_like(x)
        turn[(x.shape[0],)](x, y, x.shape[1], places, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
