# task: matmul  reason: unsupported_operation
# Multiplies with block scales (tl.dot_scaled), which the interpreter does not have yet.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(a_ptr, b_ptr, out_ptr, m, n, k, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    ones = tl.full((BLOCK_M, BLOCK_K // 32), 127, dtype=tl.uint8)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for begin in range(0, k, BLOCK_K):
        inner = begin + tl.arange(0, BLOCK_K)
        a = tl.load(a_ptr + row[:, None] * k + inner[None, :], mask=(row[:, None] < m) & (inner[None, :] < k), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n + col[None, :], mask=(inner[:, None] < k) & (col[None, :] < n), other=0.0)
        total = tl.dot_scaled(a.to(tl.bfloat16), ones, "bf16", b.to(tl.bfloat16), None, "bf16", total)
    tl.store(out_ptr + row[:, None] * n + col[None, :], total, mask=(row[:, None] < m) & (col[None, :] < n))


class ModelNew(nn.Module):
    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        out = torch.empty((m, n), device=a.device, dtype=a.dtype)
        matmul_kernel[(triton.cdiv(m, 64), triton.cdiv(n, 64))](a, b, out, m, n, k, 64, 64, 64)
        return out
