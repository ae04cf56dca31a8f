# task: buffer_computed_scale
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row(x_ptr, scale_ptr, o_ptr, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + r * cols + c, mask=m, other=float("-inf")).to(tl.float32)
    x = x * tl.load(scale_ptr)
    e = tl.exp(x - tl.max(x, axis=0))
    o = e / tl.sum(e, axis=0)
    tl.store(o_ptr + r * cols + c, o, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor(50.0).log())

    def forward(self, x):
        rows = x.numel() // x.shape[-1]
        cols = x.shape[-1]
        out = torch.empty(x.shape, device=x.device, dtype=x.dtype)
        row[(rows,)](x, self.scale, out, cols, BLOCK=triton.next_power_of_2(x.shape[-1]), num_warps=8)
        return out
