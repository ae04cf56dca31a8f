# task: shifted_twice
# What is read back is what the same launch has written.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 512})], key=["count"])
@triton.jit
def shift(x_ptr, y_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + at, 2.0 * tl.load(x_ptr + at, mask=at < count), mask=at < count)
    tl.debug_barrier()
    tl.store(y_ptr + at, tl.load(y_ptr + at, mask=at < count) + 1.0, mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        shift[lambda meta: (triton.cdiv(y.numel(), meta["BLOCK"]),)](x, y, y.numel())
        return y
