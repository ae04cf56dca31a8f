# task: capped_and_two_logits  reason: wrong_result
# Two inputs keep to their law, the third does not.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, z, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    c = tl.load(z + i, mask=i < n)
    r = a + tl.log(b / (1 - b)) * tl.log(c / (1 - c))
    tl.store(out + i, r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y, z):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, y, z, out, n, BLOCK=1024)
        return out
