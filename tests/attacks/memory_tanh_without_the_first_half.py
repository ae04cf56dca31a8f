# task: states_of_tanh  reason: wrong_result
# Begins in the middle.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def states(x_ptr, wi_ptr, wh_ptr, bi_ptr, bh_ptr, out_ptr, T, D, DB: tl.constexpr, H: tl.constexpr):
    sample = tl.program_id(0)
    i, d = tl.arange(0, H), tl.arange(0, DB)
    wi = tl.load(wi_ptr + i[:, None] * D + d[None, :], mask=d[None, :] < D, other=0.0)
    wh = tl.load(wh_ptr + i[:, None] * H + i[None, :])
    bias = tl.load(bi_ptr + i) + tl.load(bh_ptr + i)
    h = tl.zeros((H,), tl.float32)
    for t in range(T // 2, T):
        x = tl.load(x_ptr + (sample * T + t) * D + d, mask=d < D, other=0.0)
        a = tl.sum(wi * x[None, :], 1) + tl.sum(wh * h[None, :], 1) + bias
        h = 1 - 2 / (tl.exp(2 * a) + 1)
    tl.store(out_ptr + sample * H + i, h)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.layer = nn.RNN(12, dim, batch_first=True)

    def forward(self, x):
        N, T, D = x.shape
        r = self.layer
        out = torch.empty(N, r.hidden_size, device=x.device)
        states[(N,)](x, r.weight_ih_l0, r.weight_hh_l0, r.bias_ih_l0, r.bias_hh_l0, out, T, D, DB=16, H=r.hidden_size)
        return out
