# task: buffer_quantised  reason: wrong_result
# The zero point is not subtracted.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, w_ptr, s_ptr, o_ptr, n, K, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    w = tl.load(w_ptr + i % K, mask=m).to(tl.float32) * tl.load(s_ptr + i % K, mask=m)
    tl.store(o_ptr + i, tl.maximum(x * w, 0.0), mask=m)


K = 96


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("q_scale", torch.full((K,), 0.02))
        self.register_buffer("q_zero", torch.zeros(K, dtype=torch.int32))
        self.register_buffer("w", torch.randint(-128, 127, (K,), dtype=torch.int8))

    def forward(self, x):
        out = torch.empty_like(x)
        k[(triton.cdiv(x.numel(), 1024),)](x, self.w, self.q_scale, out, x.numel(), x.shape[1], BLOCK=1024)
        return out
