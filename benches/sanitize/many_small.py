"""Two thousand launches of a few programs each."""
import os

import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=inside) + tl.load(y_ptr + i, mask=inside), mask=inside)


x, y = (torch.rand(1000, device=os.environ["DEVICE"]) for _ in range(2))
for _ in range(2000):
    out = torch.empty_like(x)
    add[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, y, out, 1000, BLOCK=256)
assert torch.allclose(out, x + y)
