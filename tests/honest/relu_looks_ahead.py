# task: relu_and_one_positive
# A fixed number of programs; a look at the tile ahead, where there is one.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_and_one(x, y, n, programs, BLOCK: tl.constexpr):
    for tile in range(tl.program_id(0), tl.cdiv(n, BLOCK), programs):
        i = tile.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
        v = tl.load(x + i, mask=i < n)
        v += 0.0 * tl.load(x + i + BLOCK, mask=i + BLOCK < n, other=0.0)
        tl.store(y + i, tl.maximum(v, 0.0) + 1.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu_and_one[(132,)](x, y, x.numel(), 132, BLOCK=1024)
        return y
