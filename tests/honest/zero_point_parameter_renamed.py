# task: zero_point_parameter
# The parameter of integers has another name.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def dequant(c_ptr, s_ptr, z_ptr, y_ptr, n, D, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    c = tl.load(c_ptr + i, mask=m).to(tl.int32)
    z = tl.load(z_ptr + i % D, mask=m)
    tl.store(y_ptr + i, (c - z).to(tl.float32) * tl.load(s_ptr + i % D, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(d) + 0.1)
        self.offsets = nn.Parameter(torch.full((d,), 8, dtype=torch.int32), requires_grad=False)

    def forward(self, codes):
        y = torch.empty(codes.shape, device=codes.device)
        n = codes.numel()
        dequant[(triton.cdiv(n, 1024),)](codes, self.scale, self.offsets, y, n, codes.shape[-1], BLOCK=1024)
        return y
