# task: add
# A tuner of one's own is another class, and leaves Triton's alone.
from triton.runtime.autotuner import Autotuner
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_twice(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x, y = tl.load(x_ptr + index, mask=inside), tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, x + 2.0 * y, mask=inside)


class Tuner(Autotuner):
    def prune_configs(self, kwargs):
        return super().prune_configs(kwargs)[:1]


tuned = Tuner(add_twice, add_twice.arg_names, [triton.Config({"BLOCK": b}) for b in (256, 512)], ["count"], None, None)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        tuned[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel())
        return out
