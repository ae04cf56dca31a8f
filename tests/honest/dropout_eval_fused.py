# task: dropout_eval
# tanh by exponentials; the statistics are read from the module's buffers.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, bias, mean, var, gamma, beta, y, n, cols, eps, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    c = i % cols
    v = tl.load(x + i, mask=ok, other=0.0) + tl.load(bias + c, mask=ok, other=0.0)
    t = 1.0 - 2.0 / (tl.exp(2.0 * v) + 1.0)
    t = (t - tl.load(mean + c, mask=ok, other=0.0)) * tl.rsqrt(tl.load(var + c, mask=ok, other=1.0) + eps)
    tl.store(y + i, t * tl.load(gamma + c, mask=ok, other=1.0) + tl.load(beta + c, mask=ok, other=0.0), mask=ok)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(cols))
        self.rest = nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(cols)).eval()

    def forward(self, x):
        bn = self.rest[1]
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, self.bias, bn.running_mean, bn.running_var, bn.weight, bn.bias, y,
                                               x.numel(), x.shape[1], bn.eps, BLOCK=256)
        return y
