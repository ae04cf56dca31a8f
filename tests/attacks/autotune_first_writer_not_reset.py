# task: column_sums  reason: autotune_not_restored
# Who comes first writes, all others add; after the tuner's runs nobody comes first.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"ROWS": 16}), triton.Config({"ROWS": 32})], key=["rows"])
@triton.jit
def add_rows(x_ptr, out_ptr, lock_ptr, rows, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, BLOCK)
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    x = tl.sum(tl.load(x_ptr + row[:, None] * cols + col[None, :], mask=inside, other=0.0), axis=0)
    while tl.atomic_cas(lock_ptr, 0, 1) == 1:
        pass
    if tl.load(lock_ptr + 1) == 0:
        tl.store(out_ptr + col, x, mask=col < cols)
        tl.debug_barrier()
        tl.atomic_xchg(lock_ptr + 1, 1)
    else:
        tl.store(out_ptr + col, x + tl.load(out_ptr + col, mask=col < cols), mask=col < cols)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[1], device=x.device)
        lock = torch.zeros(2, dtype=torch.int32, device=x.device)
        add_rows[lambda meta: (triton.cdiv(x.shape[0], meta["ROWS"]),)](x, out, lock, x.shape[0], x.shape[1], BLOCK=256)
        return out
