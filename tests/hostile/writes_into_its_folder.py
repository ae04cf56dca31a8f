# reason: none
import os
import tempfile
import torch
import triton
import triton.language as tl
from torch import nn


@triton.jit
def add_one(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        with open("note.txt", "w") as file:
            file.write("x")
        os.rename("note.txt", "note2.txt")
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x")
        y = torch.empty_like(x)
        add_one[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
