# task: matmul_epilogue  reason: weights_unlinked
# Weights of its own: the matrix has another name and another shape, so nobody can give it the reference's values.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_relu_scale(x_ptr, weight_ptr, out_ptr, m, n, k, factor,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for begin in range(0, k, BLOCK_K):
        inner = begin + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + row[:, None] * k + inner[None, :], mask=(row[:, None] < m) & (inner[None, :] < k), other=0.0)
        weight = tl.load(weight_ptr + inner[:, None] * n + col[None, :],
                         mask=(col[None, :] < n) & (inner[:, None] < k), other=0.0)
        total = tl.dot(x, weight, total, input_precision="ieee")
    total += tl.load(weight_ptr + k * n + col, mask=col < n, other=0.0)[None, :]
    total = tl.maximum(total, 0.0) * factor
    tl.store(out_ptr + row[:, None] * n + col[None, :], total, mask=(row[:, None] < m) & (col[None, :] < n))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, factor):
        super().__init__()
        self.packed = nn.Parameter(torch.randn(in_features + 1, out_features) / in_features**0.5)
        self.factor = factor

    def forward(self, x):
        m, k = x.shape
        n = self.packed.shape[1]
        out = torch.empty((m, n), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
        linear_relu_scale[grid](x, self.packed, out, m, n, k, self.factor, 64, 64, 32)
        return out
