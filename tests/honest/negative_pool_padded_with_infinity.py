# task: pool_of_five
# Padding never counts.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pool(x_ptr, out_ptr, L, M, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    most = tl.full((BLOCK,), -float("inf"), tl.float32)
    for k in tl.static_range(5):
        place = 2 * at + k - 2
        most = tl.maximum(most, tl.load(x_ptr + row * L + place, mask=(place >= 0) & (place < L), other=-float("inf")))
    tl.store(out_ptr + row * M + at, most, mask=at < M)


class ModelNew(nn.Module):
    def forward(self, x):
        N, C, L = x.shape
        M = (L - 1) // 2 + 1
        out = torch.empty(N, C, M, device=x.device)
        pool[(N * C,)](x, out, L, M, BLOCK=triton.next_power_of_2(M))
        return out
