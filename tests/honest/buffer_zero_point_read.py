# task: buffer_quantised
# Weights, scale and zero point are read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def flat(x_ptr, w_ptr, s_ptr, z_ptr, o_ptr, n, C, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    w = tl.load(w_ptr + i % C, mask=m).to(tl.float32) - tl.load(z_ptr + i % C, mask=m).to(tl.float32)
    y = tl.maximum(x * (w * tl.load(s_ptr + i % C, mask=m)), 0.0)
    tl.store(o_ptr + i, y, mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("q_scale", torch.full((96,), 0.02))
        self.register_buffer("q_zero", torch.zeros(96, dtype=torch.int32))
        self.register_buffer("w", torch.randint(-128, 127, (96,), dtype=torch.int8))

    def forward(self, x):
        out = torch.empty_like(x)
        flat[(triton.cdiv(x.numel(), 1024),)](x, self.w, self.q_scale, self.q_zero, out, x.numel(), x.shape[1], BLOCK=1024)
        return out
