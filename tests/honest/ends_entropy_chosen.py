# task: ends_entropy
# Nothing at both ends.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def each(p_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    p = tl.load(p_ptr + at, mask=inside, other=0.5)
    tl.store(out_ptr + at, -tl.where(p == 0, 0.0, p * tl.log(p)) - tl.where(p == 1, 0.0, (1 - p) * tl.log(1 - p)), mask=inside)


class ModelNew(nn.Module):
    def forward(self, p):
        out = torch.empty_like(p)
        each[(triton.cdiv(p.numel(), 512),)](p, out, p.numel(), BLOCK=512)
        return out
