# task: running_sum_long
# Decoupled look-back over thousands of parts: programs publish their own sum, then walk back to the nearest whole prefix.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scan(x_ptr, out_ptr, ticket_ptr, state_ptr, sum_ptr, prefix_ptr, count, BLOCK: tl.constexpr):
    part = tl.atomic_add(ticket_ptr, 1)
    i = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < count, other=0.0)
    own = tl.sum(x, axis=0)
    tl.store(sum_ptr + part, own)
    tl.debug_barrier()
    tl.atomic_xchg(state_ptr + part, 1, sem="release")
    before = 0.0
    back = part - 1
    while back >= 0:
        state = tl.atomic_add(state_ptr + back, 0, sem="acquire")
        if state == 2:
            before += tl.load(prefix_ptr + back)
            back = -1
        elif state == 1:
            before += tl.load(sum_ptr + back)
            back -= 1
    tl.store(prefix_ptr + part, before + own)
    tl.debug_barrier()
    tl.atomic_xchg(state_ptr + part, 2, sem="release")
    tl.store(out_ptr + i, before + tl.cumsum(x, axis=0), mask=i < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        parts = triton.cdiv(x.numel(), 1024)
        ticket = torch.zeros(1, dtype=torch.int32, device=x.device)
        states = torch.zeros(parts, dtype=torch.int32, device=x.device)
        sums = torch.empty(parts, device=x.device)
        prefixes = torch.empty(parts, device=x.device)
        scan[(parts,)](x, out, ticket, states, sums, prefixes, x.numel(), BLOCK=1024)
        return out
