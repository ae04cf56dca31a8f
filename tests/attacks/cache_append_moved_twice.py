# task: cache_append  reason: host_compute
# The cache is cloned again and again.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def put(out_ptr, new_ptr, scale_ptr, length, place, DIM: tl.constexpr, BLOCK: tl.constexpr):
    batch = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    new = tl.load(new_ptr + batch * DIM + col, mask=col < DIM)
    scale = tl.load(scale_ptr + col, mask=col < DIM)
    tl.store(out_ptr + (batch * length + place) * DIM + col, new * scale, mask=col < DIM)


class ModelNew(nn.Module):
    def forward(self, cache, new, scale):
        out = cache.clone().clone().clone()
        put[(cache.shape[0],)](out, new, scale, cache.shape[1], cache.shape[1] // 2, DIM=cache.shape[2], BLOCK=128)
        return out
