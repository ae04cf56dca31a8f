"""512 × 512 × 512 in tiles of 32."""
import os

import torch
import triton
import triton.language as tl


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for k in range(0, n, BLOCK):
        inner = k + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + row[:, None] * n + inner[None, :])
        b = tl.load(b_ptr + inner[:, None] * n + column[None, :])
        total += tl.dot(a, b, input_precision="ieee")
    tl.store(c_ptr + row[:, None] * n + column[None, :], total)


a, b = (torch.rand(512, 512, device=os.environ["DEVICE"]) for _ in range(2))
c = torch.empty_like(a)
matmul[(16, 16)](a, b, c, 512, BLOCK=32)
assert torch.allclose(c, a @ b, rtol=1e-4)
