# task: matmul_epilogue
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_relu_scale(x_ptr, weight_ptr, bias_ptr, out_ptr, m, n, k, factor,
                      BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    tile_m, tile_n = tl.program_id(0), tl.program_id(1)
    x = tl.make_block_ptr(x_ptr, shape=(m, k), strides=(k, 1), offsets=(tile_m * BLOCK_M, 0),
                          block_shape=(BLOCK_M, BLOCK_K), order=(1, 0))
    # The weight is stored [n, k]; the block pointer presents it transposed.
    weight = tl.make_block_ptr(weight_ptr, shape=(k, n), strides=(1, k), offsets=(0, tile_n * BLOCK_N),
                               block_shape=(BLOCK_K, BLOCK_N), order=(0, 1))
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for _ in range(0, k, BLOCK_K):
        left = tl.load(x, boundary_check=(0, 1), padding_option="zero")
        right = tl.load(weight, boundary_check=(0, 1), padding_option="zero")
        total = tl.dot(left, right, total, input_precision="ieee")
        x = tl.advance(x, (0, BLOCK_K))
        weight = tl.advance(weight, (BLOCK_K, 0))
    col = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    total += tl.load(bias_ptr + col, mask=col < n, other=0.0)[None, :]
    total = tl.maximum(total, 0.0) * factor
    out = tl.make_block_ptr(out_ptr, shape=(m, n), strides=(n, 1), offsets=(tile_m * BLOCK_M, tile_n * BLOCK_N),
                            block_shape=(BLOCK_M, BLOCK_N), order=(1, 0))
    tl.store(out, total, boundary_check=(0, 1))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, factor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.factor = factor

    def forward(self, x):
        x = x.contiguous()
        m, k = x.shape
        n = self.linear.out_features
        out = torch.empty((m, n), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(m, 64), triton.cdiv(n, 64))
        linear_relu_scale[grid](x, self.linear.weight, self.linear.bias, out, m, n, k, self.factor,
                                BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, num_warps=4, num_stages=2)
        return out
