# task: shifted_twice  reason: autotune_not_restored
# A copy is changed in place, again and again while configurations are tried.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 512})], key=["count"])
@triton.jit
def shift(y_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + at, mask=at < count)
    tl.store(y_ptr + at, 2.0 * y + 1.0, mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x):
        y = x.clone()
        shift[lambda meta: (triton.cdiv(y.numel(), meta["BLOCK"]),)](y, y.numel())
        return y
