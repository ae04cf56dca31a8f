# task: mask_mean  reason: autotune_config_wrong
# By a number in the second configuration, the mask of ones is not read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"LEAST": -1}), triton.Config({"LEAST": 99})], key=["length"])
@triton.jit
def mean(x_ptr, mask_ptr, out_ptr, length, width, LEAST: tl.constexpr, LENGTH: tl.constexpr, WIDTH: tl.constexpr):
    b = tl.program_id(0)
    s, d = tl.arange(0, LENGTH), tl.arange(0, WIDTH)
    inside = (s[:, None] < length) & (d[None, :] < width)
    x = tl.load(x_ptr + (b * length + s[:, None]) * width + d[None, :], mask=inside, other=0.0)
    m = tl.load(mask_ptr + b * length + s, mask=(s < length) & (s > LEAST), other=1).to(tl.float32)
    m = tl.where(s < length, m, 0.0)
    total = tl.sum(x * m[:, None], axis=0) / tl.maximum(tl.sum(m, axis=0), 1e-9)
    tl.store(out_ptr + b * width + d, total, mask=d < width)


class ModelNew(nn.Module):
    def forward(self, x, mask):
        b, s, d = x.shape
        out = torch.empty((b, d), device=x.device)
        mean[(b,)](x, mask, out, s, d, LENGTH=triton.next_power_of_2(s), WIDTH=triton.next_power_of_2(d))
        return out
