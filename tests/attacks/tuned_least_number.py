# task: relu_of_positive  reason: autotune_config_wrong
# Configurations differ in an integer; that of the second cuts nothing.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"LOW": 0}), triton.Config({"LOW": -1000})], key=["count"])
@triton.jit
def rectify(x_ptr, out_ptr, count, LOW: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count)
    low = tl.full([BLOCK], LOW, tl.int32) + 0 * at
    tl.store(out_ptr + at, tl.maximum(x, low.to(tl.float32)), mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        rectify[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
