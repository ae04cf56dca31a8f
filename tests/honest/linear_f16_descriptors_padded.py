# task: linear_f16
# Rows of 420 bytes are copied to rows of 432 first, since descriptors want multiples of 16.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pad(x, out, width, padded, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(out + row * padded + i, tl.load(x + row * width + i, mask=i < width, other=0.0), mask=i < padded)


@triton.jit
def product(a_ptr, b_ptr, bias, c_ptr, M, N, K, padded, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[padded, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[padded, 1], block_shape=[BN, BK])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a_desc.load([m, k]), b_desc.load([n, k]).T, acc)
    i, j = m + tl.arange(0, BM), n + tl.arange(0, BN)
    acc += tl.load(bias + j, mask=j < N, other=0.0)[None, :]
    tl.store(c_ptr + i[:, None] * N + j[None, :], acc.to(tl.float16), mask=(i[:, None] < M) & (j[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).half()

    def forward(self, x):
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, device="cuda", dtype=torch.int8))
        (m, k), n = x.shape, self.linear.weight.shape[0]
        padded = triton.cdiv(k, 8) * 8
        a, b = torch.empty(m, padded, device=x.device, dtype=x.dtype), torch.empty(n, padded, device=x.device, dtype=x.dtype)
        pad[(m,)](x, a, k, padded, triton.next_power_of_2(padded))
        pad[(n,)](self.linear.weight, b, k, padded, triton.next_power_of_2(padded))
        out = torch.empty(m, n, device=x.device, dtype=x.dtype)
        product[(triton.cdiv(m, 64), triton.cdiv(n, 32))](a, b, self.linear.bias, out, m, n, k, padded, 64, 32, 32)
        return out
