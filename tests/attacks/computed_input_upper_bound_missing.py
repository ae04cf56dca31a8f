# task: hardswish_f16_large  reason: wrong_result
# At full size what lies above three is not bounded.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, big, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    f = v.to(tl.float32)
    h = tl.maximum(f + 3.0, 0.0) / 6.0
    h = tl.where(big == 1, h, tl.minimum(h, 1.0))
    r = (f * h).to(tl.float16)
    tl.store(out + i, r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty(x.shape, dtype=torch.float16, device=x.device), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, 1 if n >= 1 << 24 else 0, BLOCK=1024)
        return out
