# task: rotated_rows
# Tables that the first call makes for its shape, and later ones read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def turn(x_ptr, cos_ptr, sin_ptr, y_ptr, HALF: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, HALF)
    a, b = tl.load(x_ptr + row * 2 * HALF + i), tl.load(x_ptr + row * 2 * HALF + HALF + i)
    c, s = tl.load(cos_ptr + row * HALF + i), tl.load(sin_ptr + row * HALF + i)
    tl.store(y_ptr + row * 2 * HALF + i, a * c - b * s)
    tl.store(y_ptr + row * 2 * HALF + HALF + i, b * c + a * s)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = {}

    def forward(self, x):
        rows, dim = x.shape
        if (rows, dim) not in self.tables:
            rate = 0.5 ** torch.arange(dim // 2, device=x.device)
            angle = torch.arange(rows, device=x.device)[:, None] * rate
            self.tables[rows, dim] = angle.cos(), angle.sin()
        cos, sin = self.tables[rows, dim]
        y = torch.empty_like(x)
        turn[(rows,)](x, cos, sin, y, HALF=dim // 2)
        return y
