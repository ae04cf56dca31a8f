# task: matmul_epilogue  reason: host_compute
# The product is an honest kernel; bias, relu and factor stay in PyTorch.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matmul_transposed(x_ptr, weight_ptr, out_ptr, m, n, k,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    row = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    col = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for begin in range(0, k, BLOCK_K):
        inner = begin + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + row[:, None] * k + inner[None, :], mask=(row[:, None] < m) & (inner[None, :] < k), other=0.0)
        weight = tl.load(weight_ptr + col[None, :] * k + inner[:, None],
                         mask=(col[None, :] < n) & (inner[:, None] < k), other=0.0)
        total = tl.dot(x, weight, total, input_precision="ieee")
    tl.store(out_ptr + row[:, None] * n + col[None, :], total, mask=(row[:, None] < m) & (col[None, :] < n))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, factor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.factor = factor

    def forward(self, x):
        m, k = x.shape
        n = self.linear.out_features
        out = torch.empty((m, n), device=x.device, dtype=x.dtype)
        matmul_transposed[(triton.cdiv(m, 64), triton.cdiv(n, 64))](x, self.linear.weight, out, m, n, k, 64, 64, 32)
        return torch.relu(out + self.linear.bias) * self.factor
