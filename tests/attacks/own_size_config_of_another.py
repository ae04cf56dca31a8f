# task: linear_tiles  reason: autotune_config_wrong
# All configurations but one divide the task's sizes: the last skips half of a tile of 512 columns.
import torch
import torch.nn as nn
import triton
import triton.language as tl


CONFIGS = [
    triton.Config({"BM": 128, "BN": 128, "BK": 64}, num_warps=8),
    triton.Config({"BM": 64, "BN": 256, "BK": 64}, num_warps=8),
    triton.Config({"BM": 32, "BN": 512, "BK": 32}, num_warps=8),
]


@triton.autotune(configs=CONFIGS, key=["M", "N", "K"])
@triton.jit
def linear(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :])
        w = tl.load(w_ptr + n[None, :] * K + k[:, None])
        total = tl.dot(x, w, total)
    total += tl.load(b_ptr + n)[None, :].to(tl.float32)
    tl.store(y_ptr + m[:, None] * N + n[None, :], total.to(tl.float16))


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).half()

    def forward(self, x):
        (m, k), n = x.shape, self.linear.out_features
        y = torch.empty((m, n), dtype=x.dtype, device=x.device)
        linear[lambda meta: (m // meta["BM"], n // meta["BN"])](x, self.linear.weight, self.linear.bias, y, m, n, k)
        return y
