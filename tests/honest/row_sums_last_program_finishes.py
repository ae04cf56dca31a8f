# task: row_sums
# Partial sums in memory; the program that arrives last at a row's counter adds them up and resets the counter.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, parts_ptr, counter_ptr, out_ptr, cols, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1)
    col = part * BLOCK + tl.arange(0, BLOCK)
    tl.store(parts_ptr + row * PARTS + part, tl.sum(tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0), axis=0))
    tl.debug_barrier()
    arrived = tl.atomic_add(counter_ptr + row, 1, sem="acq_rel")
    if arrived == tl.num_programs(1) - 1:
        i = tl.arange(0, PARTS)
        parts = tl.load(parts_ptr + row * PARTS + i, mask=i < tl.num_programs(1), other=0.0)
        tl.store(out_ptr + row, tl.sum(parts, axis=0))
        tl.atomic_xchg(counter_ptr + row, 0)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        parts = triton.cdiv(cols, 1024)
        wide = triton.next_power_of_2(parts)
        scratch = torch.empty((rows, wide), device=x.device)
        counter = torch.zeros(rows, dtype=torch.int32, device=x.device)
        out = torch.empty(rows, device=x.device)
        sums[(rows, parts)](x, scratch, counter, out, cols, PARTS=wide, BLOCK=1024)
        return out
