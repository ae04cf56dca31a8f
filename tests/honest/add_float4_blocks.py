# task: add
# Four elements a lane as a second dimension, hints that hold, eviction policies.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, LANES: tl.constexpr):
    base = tl.program_id(0) * LANES * 4
    index = base + tl.arange(0, LANES)[:, None] * 4 + tl.arange(0, 4)[None, :]
    index = tl.max_contiguous(tl.multiple_of(index, (1, 4)), (1, 4))
    inside = index < count
    x = tl.load(x_ptr + index, mask=inside, eviction_policy="evict_last")
    y = tl.load(y_ptr + index, mask=inside, cache_modifier=".ca")
    tl.store(out_ptr + index, x + y + y, mask=inside, cache_modifier=".wb")


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[lambda meta: (triton.cdiv(x.numel(), 4 * meta["LANES"]),)](x, y, out, x.numel(), LANES=64, num_warps=2, maxnreg=64)
        return out
