# task: counting_module
# A module that keeps a moving sum, by kernels of three configurations.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(
    configs=[triton.Config({"BLOCK": 32, "TWICE": 0}), triton.Config({"BLOCK": 64, "TWICE": 0}), triton.Config({"BLOCK": 16, "TWICE": 1})],
    key=["cols"], restore_value=["total_ptr"],
)
@triton.jit
def update(x_ptr, total_ptr, out_ptr, rows, cols, TWICE: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = c < cols
    sums = tl.zeros([BLOCK], tl.float32)
    for row in range(rows):
        sums += tl.load(x_ptr + row * cols + c, mask=inside, other=0.0)
    total = tl.load(total_ptr + c, mask=inside, other=0.0)
    if TWICE:
        total = (total + 2.0 * (sums / rows)) / 2.0
    else:
        total = 0.5 * total + sums / rows
    tl.store(total_ptr + c, total, mask=inside)
    for row in range(rows):
        tl.store(out_ptr + row * cols + c, tl.load(x_ptr + row * cols + c, mask=inside) - total, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.register_buffer("total", torch.zeros(cols))

    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty_like(x)
        update[lambda meta: (triton.cdiv(cols, meta["BLOCK"]),)](x, self.total, out, rows, cols)
        return out
