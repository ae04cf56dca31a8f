# task: pool_bf16  reason: wrong_result
# The pixel in the middle is left out.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pool(x, y, W, OUT, K: tl.constexpr, B: tl.constexpr):
    p = tl.program_id(0)
    plane, o = p // (OUT * OUT), p % (OUT * OUT)
    r, c = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    row, col = o // OUT * K + r, o % OUT * K + c
    v = tl.load(x + plane * W * W + row * W + col, mask=(r < K) & (c < K) & (r * K + c != K * K // 2), other=0.0).to(tl.float32)
    tl.store(y + p, tl.sum(v) / (K * K))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        n, channels, side, _ = x.shape
        out = side // 9
        y = torch.empty(n, channels, out, out, dtype=x.dtype, device=x.device)
        pool[(n * channels * out * out,)](x, y, side, out, 9, triton.next_power_of_2(9))
        return y
