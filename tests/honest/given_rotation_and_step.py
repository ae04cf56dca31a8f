# task: given_rotation
# Reads all that it is given.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def turn(x_ptr, f_ptr, step_ptr, out_ptr, pairs, BLOCK: tl.constexpr):
    row, p = tl.program_id(0), tl.arange(0, BLOCK)
    at = (row * pairs + p) * 2
    a, b = tl.load(x_ptr + at, mask=p < pairs), tl.load(x_ptr + at + 1, mask=p < pairs)
    c, d = tl.load(f_ptr + 2 * p, mask=p < pairs), tl.load(f_ptr + 2 * p + 1, mask=p < pairs)
    scale = 1.0 - libdevice.pow(0.9, tl.load(step_ptr).to(tl.float32))
    tl.store(out_ptr + at, (a * c - b * d) / scale, mask=p < pairs)
    tl.store(out_ptr + at + 1, (a * d + b * c) / scale, mask=p < pairs)


class ModelNew(nn.Module):
    def forward(self, x, factors, step):
        rows, pairs, _ = x.shape
        out = torch.empty_like(x)
        turn[(rows,)](x, torch.view_as_real(factors), step, out, pairs, BLOCK=triton.next_power_of_2(pairs))
        return out
