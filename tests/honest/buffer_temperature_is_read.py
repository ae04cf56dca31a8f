# task: buffer_temperature
# The temperature is read from its buffer.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row(x, temperature, out, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=float("-inf")) / tl.load(temperature)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + r * cols + c, e / tl.sum(e, 0), mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("temperature", torch.tensor(0.07))

    def forward(self, x):
        out = torch.empty_like(x)
        row[(x.shape[0],)](x, self.temperature, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
