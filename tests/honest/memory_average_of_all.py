# task: averages_by_gates
# All steps.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def averages(x_ptr, gate_ptr, out_ptr, T, D: tl.constexpr):
    sample, t = tl.program_id(0), tl.program_id(1)
    d = tl.arange(0, D)
    a = tl.sigmoid(tl.load(gate_ptr + d))
    h = tl.zeros((D,), tl.float32)
    for s in range(0, t + 1):
        h = a * h + (1 - a) * tl.load(x_ptr + (sample * T + s) * D + d)
    tl.store(out_ptr + (sample * T + t) * D + d, h)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gate = nn.Parameter(torch.rand(dim))

    def forward(self, x):
        out = torch.empty_like(x)
        averages[(x.shape[0], x.shape[1])](x, self.gate, out, x.shape[1], D=x.shape[2])
        return out
