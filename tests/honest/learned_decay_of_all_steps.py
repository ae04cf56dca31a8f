# task: learned_decay_of_the_past
# All steps.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fading(x_ptr, w_ptr, out_ptr, M, BLOCK: tl.constexpr):
    row, step = tl.program_id(0), tl.program_id(1)
    ago = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * M + step - ago, mask=(ago <= step) & (ago >= 0), other=0.0)
    tl.store(out_ptr + row * M + step, tl.sum(x * tl.exp(-tl.load(w_ptr) * ago.to(tl.float32)), 0))


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("w", torch.tensor(0.6))

    def forward(self, x):
        out = torch.empty_like(x)
        fading[x.shape](x, self.w, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
