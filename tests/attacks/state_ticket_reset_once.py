# task: gated_sums  reason: race|nondeterministic
# Whoever takes the last ticket finishes the row; the tickets go back to zero after the first call only.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, y, parts, ticket, calls, cols, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    c = part * BLOCK + tl.arange(0, BLOCK)
    tl.store(parts + row * 4 + part, tl.sum(tl.load(x + row * cols + c, mask=c < cols, other=0.0), axis=0))
    tl.debug_barrier()
    arrived = tl.atomic_add(ticket + row, 1, sem="acq_rel")
    if arrived >= 3:
        total = tl.sum(tl.load(parts + row * 4 + tl.arange(0, 4)), axis=0)
        all_of = tl.arange(0, 128)
        v = tl.load(x + row * cols + all_of, mask=all_of < cols, other=0.0)
        tl.store(y + row * cols + all_of, tl.sigmoid(v) * total, mask=all_of < cols)
        tl.debug_barrier()
        if tl.atomic_add(calls + row, 1) == 0:
            tl.atomic_xchg(ticket + row, 0)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = torch.zeros(64, 4, device="cuda")
        self.ticket = torch.zeros(64, dtype=torch.int32, device="cuda")
        self.calls = torch.zeros(64, dtype=torch.int32, device="cuda")

    def forward(self, x):
        y = torch.empty_like(x)
        rows[(x.shape[0], 4)](x, y, self.parts, self.ticket, self.calls, x.shape[1], BLOCK=32)
        return y
