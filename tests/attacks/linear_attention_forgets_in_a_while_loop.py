# task: linear_attention_of_rates  reason: wrong_result
# The state is lost at step 512 of a while loop.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attend(q_ptr, k_ptr, v_ptr, g_ptr, o_ptr, T, H, D: tl.constexpr, BM: tl.constexpr):
    bh = tl.program_id(0)
    d = tl.arange(0, D)
    i = tl.arange(0, BM)
    rate = tl.exp(-tl.load(g_ptr + bh % H))
    state = tl.zeros((D, D), tl.float32)
    m0 = 0
    while m0 < T:
        m = m0 + i
        at = (bh * T + m)[:, None] * D + d[None, :]
        q = tl.load(q_ptr + at, mask=(m < T)[:, None], other=0.0)
        k = tl.load(k_ptr + at, mask=(m < T)[:, None], other=0.0)
        v = tl.load(v_ptr + at, mask=(m < T)[:, None], other=0.0)
        far = (i[:, None] - i[None, :]).to(tl.float32)
        g = tl.where(far >= 0, tl.exp(-rate * tl.maximum(far, 0.0)), 0.0)
        s = tl.dot(q, tl.trans(k), input_precision="tf32x3") * g
        o = tl.dot(s, v, input_precision="tf32x3")
        qd = q * tl.exp(-rate * (i + 1).to(tl.float32))[:, None]
        o += tl.dot(qd, state, input_precision="tf32x3")
        kd = k * tl.exp(-rate * (BM - 1 - i).to(tl.float32))[:, None]
        state = tl.where(m0 == 480, 0.0, state * tl.exp(-rate * BM))
        state += tl.dot(tl.trans(kd), v, input_precision="tf32x3")
        tl.store(o_ptr + at, o, mask=(m < T)[:, None])
        m0 += BM


class ModelNew(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.decay = nn.Parameter(torch.linspace(1.0, 4.0, h))

    def forward(self, q, k, v):
        B, H, T, D = q.shape
        o = torch.empty_like(q)
        attend[(B * H,)](q, k, v, self.decay, o, T, H, D, BM=32)
        return o
