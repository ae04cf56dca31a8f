# task: add  reason: autotune_config_wrong
# The second configuration rounds the grid down.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 512, "EXTRA": 1}), triton.Config({"BLOCK": 1024, "EXTRA": 0})], key=["count"])
@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr, EXTRA: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[lambda m: (x.numel() // m["BLOCK"] + m["EXTRA"],)](x, y, out, x.numel())
        return out
