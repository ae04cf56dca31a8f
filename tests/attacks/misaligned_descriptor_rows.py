# task: linear_f16  reason: misaligned_access
# Descriptors over rows of 420 and 194 bytes: the hardware wants multiples of 16.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, bias, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a_desc.load([m, k]), b_desc.load([n, k]).T, acc)
    j = n + tl.arange(0, BN)
    acc += tl.load(bias + j, mask=j < N, other=0.0)[None, :]
    c_desc.store([m, n], acc.to(tl.float16))


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).half()

    def forward(self, x):
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, device="cuda", dtype=torch.int8))
        (m, k), n = x.shape, self.linear.weight.shape[0]
        out = torch.empty(m, n, device=x.device, dtype=x.dtype)
        product[(triton.cdiv(m, 64), triton.cdiv(n, 32))](x, self.linear.weight, self.linear.bias, out, m, n, k, 64, 32, 32)
        return out
