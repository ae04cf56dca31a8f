# task: product_clamped  reason: wrong_result
# The lower bound is -1.01.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def clamped_products(x_ptr, up_ptr, gate_ptr, y_ptr, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inside = (m[:, None] < M) & (n[None, :] < N)
    up_all = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    gate_all = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for part in range(4):
        up = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        gate = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for start in range(part * BLOCK_K, K, 4 * BLOCK_K):
            k = start + tl.arange(0, BLOCK_K)
            x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
            weights = n[None, :] * K + k[:, None]
            there = (n[None, :] < N) & (k[:, None] < K)
            up = tl.dot(x, tl.load(up_ptr + weights, mask=there, other=0.0), up, input_precision="ieee")
            gate = tl.dot(x, tl.load(gate_ptr + weights, mask=there, other=0.0), gate, input_precision="ieee")
        up_all += up
        gate_all += gate
    y = tl.minimum(tl.maximum(up_all, -1.01), 10.0) * tl.minimum(tl.maximum(gate_all, 0.0), 6.0)
    tl.store(y_ptr + m[:, None] * N + n[None, :], y, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, depth, width):
        super().__init__()
        self.up = nn.Linear(depth, width, bias=False)
        self.gate = nn.Linear(depth, width, bias=False)

    def forward(self, x):
        x = x.contiguous()
        M, K = x.shape
        N = self.up.weight.shape[0]
        y = torch.empty(M, N, device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(M, 32), triton.cdiv(N, 64))
        clamped_products[grid](x, self.up.weight, self.gate.weight, y, M, N, K, BLOCK_M=32, BLOCK_N=64, BLOCK_K=32)
        return y
