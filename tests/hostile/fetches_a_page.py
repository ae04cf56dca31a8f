# reason: trace_forbidden
# urllib wraps the refusal in an exception of its own; what the program did is the reason
import urllib.request
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
        urllib.request.urlopen("http://127.0.0.1/")
        y = torch.empty_like(x)
        add_one[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128)
        return y
