# task: chain_of_products
# A launch for each product, its tiles in a pipelined loop of one program.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(x_ptr, w_ptr, out_ptr, rows, ROWS: tl.constexpr, DIM: tl.constexpr):
    col = tl.arange(0, DIM)
    weight = tl.load(w_ptr + col[:, None] * DIM + col[None, :])
    for start in range(0, rows, ROWS):
        at = (start + tl.arange(0, ROWS))[:, None] * DIM + col[None, :]
        tl.store(out_ptr + at, tl.dot(tl.load(x_ptr + at), weight).to(tl.float16))


class ModelNew(nn.Module):
    def forward(self, x, weights):
        for weight in weights:
            out = torch.empty_like(x)
            product[(1,)](x, weight, out, x.shape[0], ROWS=32, DIM=64)
            x = out
        return x
