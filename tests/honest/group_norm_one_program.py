# task: group_norm
# The norm stays a submodule whose parameters the kernel takes.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_norm_silu(x_ptr, w_ptr, b_ptr, y_ptr, spatial, per_group: tl.constexpr, groups, eps, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    size = per_group * spatial
    first = (pid % groups) * per_group
    i = tl.arange(0, BLOCK)
    mask = i < size
    x = tl.load(x_ptr + pid * size + i, mask=mask, other=0.0)
    mean = tl.sum(x, 0) / size
    centred = tl.where(mask, x - mean, 0.0)
    rstd = 1.0 / tl.sqrt(tl.sum(centred * centred, 0) / size + eps)
    channel = first + i // spatial
    y = centred * rstd * tl.load(w_ptr + channel, mask=mask, other=0.0) + tl.load(b_ptr + channel, mask=mask, other=0.0)
    tl.store(y_ptr + pid * size + i, y * tl.sigmoid(y), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x):
        n, c, h, w = x.shape
        groups = self.norm.num_groups
        y = torch.empty_like(x)
        size = c // groups * h * w
        group_norm_silu[(n * groups,)](x, self.norm.weight, self.norm.bias, y, h * w, c // groups, groups, self.norm.eps,
                                       BLOCK=triton.next_power_of_2(size))
        return y
