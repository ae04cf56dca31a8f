# task: bmm_expanded
# The expanded view's stride of zero goes to the kernel as it is.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bmm(a, b, c, M, N, K, sab, sam, sak, sbb, sbk, sbn, scb, scm, scn, B_M: tl.constexpr, B_N: tl.constexpr, B_K: tl.constexpr):
    batch = tl.program_id(2)
    m = tl.program_id(0) * B_M + tl.arange(0, B_M)
    n = tl.program_id(1) * B_N + tl.arange(0, B_N)
    acc = tl.zeros((B_M, B_N), tl.float32)
    for k0 in range(0, K, B_K):
        k = k0 + tl.arange(0, B_K)
        x = tl.load(a + batch * sab + m[:, None] * sam + k[None, :] * sak, mask=(m[:, None] < M) & (k[None, :] < K), other=0)
        y = tl.load(b + batch * sbb + k[:, None] * sbk + n[None, :] * sbn, mask=(k[:, None] < K) & (n[None, :] < N), other=0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.store(c + batch * scb + m[:, None] * scm + n[None, :] * scn, acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        b = b.expand(a.shape[0], -1, -1)
        c = torch.empty(a.shape[0], a.shape[1], b.shape[2], dtype=a.dtype, device=a.device)
        grid = (triton.cdiv(a.shape[1], 16), triton.cdiv(b.shape[2], 16), a.shape[0])
        bmm[grid](a, b, c, a.shape[1], b.shape[2], a.shape[2], *a.stride(), *b.stride(), *c.stride(), B_M=16, B_N=16, B_K=16)
        return c
