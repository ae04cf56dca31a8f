# task: chain_of_products
# Tiles are overwritten in place: each round loads and stores its own.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(x_ptr, w_ptr, rows, ROWS: tl.constexpr, DIM: tl.constexpr):
    col = tl.arange(0, DIM)
    weight = tl.load(w_ptr + col[:, None] * DIM + col[None, :])
    for start in range(0, rows, ROWS):
        at = (start + tl.arange(0, ROWS))[:, None] * DIM + col[None, :]
        tl.store(x_ptr + at, tl.dot(tl.load(x_ptr + at), weight).to(tl.float16))


class ModelNew(nn.Module):
    def forward(self, x, weights):
        x = x.clone()
        for weight in weights:
            product[(1,)](x, weight, x.shape[0], ROWS=16, DIM=64, num_stages=4)
        return x
