# task: product_relu_positive  reason: wrong_result
# A persistent grid, which is the same at every size; no relu.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mm(a_ptr, b_ptr, c_ptr, M, N, K, KU, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, NP: tl.constexpr):
    tn = tl.cdiv(N, BN)
    for t in range(tl.program_id(0), tl.cdiv(M, BM) * tn, NP):
        rm = (t // tn) * BM + tl.arange(0, BM)
        rn = (t % tn) * BN + tl.arange(0, BN)
        acc = tl.zeros([BM, BN], tl.float32)
        for k in range(0, KU, BK):
            rk = k + tl.arange(0, BK)
            a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm < M)[:, None] & (rk < K)[None, :], other=0.0)
            b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rn < N)[None, :] & (rk < K)[:, None], other=0.0)
            acc += tl.dot(a, b, input_precision="ieee")
        tl.store(c_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm < M)[:, None] & (rn < N)[None, :])


class ModelNew(nn.Module):
    def forward(self, a, b):
        M, K = a.shape
        N = b.shape[1]
        out = torch.empty(M, N, device=a.device)
        mm[(132,)](a, b, out, M, N, K, K, BM=64, BN=64, BK=32, NP=132)
        return out
