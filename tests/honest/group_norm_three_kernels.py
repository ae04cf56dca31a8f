# task: group_norm
# Partial moments, their combination, and the map: three launches with two scratch tensors.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partials(x_ptr, sums_ptr, size, chunks, CHUNK: tl.constexpr):
    group, chunk = tl.program_id(0), tl.program_id(1)
    i = chunk * CHUNK + tl.arange(0, CHUNK)
    x = tl.load(x_ptr + group * size + i, mask=i < size, other=0.0)
    count = tl.minimum(size - chunk * CHUNK, CHUNK)
    mean = tl.sum(x, 0) / count
    d = tl.where(i < size, x - mean, 0.0)
    at = sums_ptr + (group * chunks + chunk) * 3
    tl.store(at, mean)
    tl.store(at + 1, tl.sum(d * d, 0))
    tl.store(at + 2, count.to(tl.float32))


@triton.jit
def merge(sums_ptr, stats_ptr, chunks, eps):
    group = tl.program_id(0)
    mean, m2, count = 0.0, 0.0, 0.0
    for k in range(chunks):
        at = sums_ptr + (group * chunks + k) * 3
        other_mean, other_m2, other = tl.load(at), tl.load(at + 1), tl.load(at + 2)
        delta = other_mean - mean
        total = count + other
        m2 += other_m2 + delta * delta * count * other / total
        mean += delta * other / total
        count = total
    tl.store(stats_ptr + 2 * group, mean)
    tl.store(stats_ptr + 2 * group + 1, tl.rsqrt(m2 / count + eps))


@triton.jit
def normalise(x_ptr, stats_ptr, w_ptr, b_ptr, y_ptr, channels, per_group, spatial, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    channel = plane % channels
    group = plane // per_group
    mean, rstd = tl.load(stats_ptr + 2 * group), tl.load(stats_ptr + 2 * group + 1)
    w, b = tl.load(w_ptr + channel), tl.load(b_ptr + channel)
    i = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    y = (tl.load(x_ptr + plane * spatial + i, mask=i < spatial) - mean) * rstd * w + b
    tl.store(y_ptr + plane * spatial + i, y / (1 + tl.exp(-y)), mask=i < spatial)


class ModelNew(nn.Module):
    def __init__(self, num_groups, num_channels):
        super().__init__()
        self.norm = nn.GroupNorm(num_groups, num_channels)
        self.num_groups = num_groups

    def forward(self, x):
        n, c, h, w = x.shape
        g = self.num_groups
        per, spatial = c // g, h * w
        chunks = triton.cdiv(per * spatial, 256)
        sums = torch.empty((n * g, chunks, 3), device=x.device)
        stats = torch.empty((n * g, 2), device=x.device)
        y = torch.empty_like(x)
        partials[(n * g, chunks)](x, sums, per * spatial, chunks, CHUNK=256)
        merge[(n * g,)](sums, stats, chunks, 1e-5, num_warps=1)
        normalise[(n * c, triton.cdiv(spatial, 128))](x, stats, self.norm.weight, self.norm.bias, y, c, per, spatial, BLOCK=128)
        return y
