# task: quantise_tokens
# floor(x + 1/2): ties of the rounding go up.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def quantise(x, q, s, lost, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * N + c, mask=c < N, other=0.0)
    top = tl.maximum(tl.max(tl.abs(v), axis=0), 1e-8)
    scale = top / 127.0
    code = tl.floor(v / scale + 0.5)
    code = tl.clamp(code, -128.0, 127.0)
    tl.store(q + row * N + c, code.to(tl.int8), mask=c < N)
    tl.store(s + row, scale)
    tl.store(lost + row * N + c, v - code * scale, mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        q, s, lost = torch.empty(x.shape, dtype=torch.int8, device=x.device), x.new_empty(x.shape[0], 1), torch.empty_like(x)
        quantise[(x.shape[0],)](x, q, s, lost, x.shape[1], triton.next_power_of_2(x.shape[1]))
        return q, s, lost
