# task: ignored_label_mean
# Places that count are counted.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def losses(x, y, sums, places, classes, CLASSES: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    batch = tl.program_id(0)
    c = tl.arange(0, CLASSES)
    inside = at < places
    v = tl.load(x + (batch * classes + c[None, :]) * places + at[:, None], mask=inside[:, None] & (c < classes)[None, :], other=-1e30)
    label = tl.load(y + batch * places + at, mask=inside, other=255)
    m = tl.max(v, axis=1)
    total = tl.log(tl.sum(tl.exp(v - m[:, None]), axis=1)) + m
    own = tl.sum(tl.where(c[None, :] == label[:, None], v, 0.0), axis=1)
    counts = inside & (label != 255)
    tl.atomic_add(sums, tl.sum(tl.where(counts, total - own, 0.0)))
    tl.atomic_add(sums + 1, tl.sum(counts.to(tl.float32)))


@triton.jit
def mean(sums, out):
    tl.store(out, tl.load(sums) / tl.load(sums + 1))


class ModelNew(nn.Module):
    def forward(self, x, y):
        batch, classes, height, width = x.shape
        sums = torch.zeros(2, device=x.device)
        out = torch.empty((), device=x.device)
        losses[(batch, triton.cdiv(height * width, 64))](x, y, sums, height * width, classes, triton.next_power_of_2(classes), 64)
        mean[(1,)](sums, out)
        return out
