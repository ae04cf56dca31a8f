# task: silu_large
# A grid of the number of multiprocessors, each program with many tiles.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    for tile in range(tl.program_id(0), tl.cdiv(n, BLOCK), tl.num_programs(0)):
        i = tile * BLOCK + tl.arange(0, BLOCK)
        v = tl.load(x + i, mask=i < n)
        tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        programs = torch.cuda.get_device_properties(x.device).multi_processor_count
        run[(programs,)](x, out, n, BLOCK=1024)
        return out
