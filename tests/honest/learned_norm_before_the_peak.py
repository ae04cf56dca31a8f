# task: learned_norm_then_peak
# The largest of what is normed.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def peaks(x_ptr, w_ptr, b_ptr, m_ptr, v_ptr, out_ptr, C, L, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * L + at, mask=at < L, other=-float("inf"))
    c = row % C
    b, m = tl.load(b_ptr + c), tl.load(m_ptr + c)
    s = tl.load(w_ptr + c) * tl.rsqrt(tl.load(v_ptr + c) + eps)
    tl.store(out_ptr + row, tl.maximum(tl.max(tl.where(at < L, (x - m) * s + b, -float("inf")), 0), 0.0))


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.eval()

    def forward(self, x):
        N, C, L = x.shape
        out = torch.empty(N, C, device=x.device)
        n = self.norm
        peaks[(N * C,)](x, n.weight, n.bias, n.running_mean, n.running_var, out, C, L, n.eps, BLOCK=triton.next_power_of_2(L))
        return out
