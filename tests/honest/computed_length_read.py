# task: weight_norm_by_hand
# Direction, its norm and the length are read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def normed(x_ptr, v_ptr, g_ptr, o_ptr, C, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    m = c < C
    v = tl.load(v_ptr + c, mask=m, other=0.0)
    w = tl.load(g_ptr) * v / tl.sqrt(tl.sum(v * v, axis=0))
    tl.store(o_ptr + r * C + c, tl.maximum(tl.load(x_ptr + r * C + c, mask=m) * w, 0.0), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.v = nn.Parameter(torch.randn(256))
        self.g = nn.Parameter(self.v.detach().norm())

    def forward(self, x):
        out = torch.empty_like(x)
        normed[(x.shape[0],)](x, self.v, self.g, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
