# task: squares_of_all  reason: wrong_result|shape_specialised
# The second launch goes over the partial sums in two rounds.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def parts(x_ptr, part_ptr, count, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    at = i * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    tl.store(part_ptr + i, tl.sum(x * x, axis=0))


@triton.jit
def total(part_ptr, out_ptr, parts_of_x, count):
    s = tl.zeros([256], tl.float32)
    for begin in range(0, 512, 256):
        at = begin + tl.arange(0, 256)
        s += tl.load(part_ptr + at, mask=at < parts_of_x, other=0.0)
    tl.store(out_ptr, tl.sum(s, axis=0) / count)


class ModelNew(nn.Module):
    def forward(self, x):
        parts_of_x = triton.cdiv(x.numel(), 4096)
        part, out = torch.empty(parts_of_x, device=x.device), torch.empty((), device=x.device)
        parts[(parts_of_x,)](x, part, x.numel(), BLOCK=4096)
        total[(1,)](part, out, parts_of_x, x.numel())
        return out
