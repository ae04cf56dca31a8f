# task: running_sum
# A barrier of the whole grid in one cooperative launch: all sums are stored before any is read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scan(x_ptr, out_ptr, arrived_ptr, sums_ptr, count, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    part = tl.program_id(0)
    i = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < count, other=0.0)
    tl.store(sums_ptr + part, tl.sum(x, axis=0))
    tl.debug_barrier()
    tl.atomic_add(arrived_ptr, 1, sem="release")
    while tl.atomic_add(arrived_ptr, 0, sem="acquire") < tl.num_programs(0):
        pass
    p = tl.arange(0, PARTS)
    before = tl.sum(tl.load(sums_ptr + p, mask=p < part, other=0.0), axis=0)
    tl.store(out_ptr + i, before + tl.cumsum(x, axis=0), mask=i < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        parts = triton.cdiv(x.numel(), 1024)
        arrived = torch.zeros(1, dtype=torch.int32, device=x.device)
        sums = torch.zeros(parts, device=x.device)
        scan[(parts,)](x, out, arrived, sums, x.numel(), PARTS=triton.next_power_of_2(parts), BLOCK=1024, launch_cooperative_grid=True)
        return out
