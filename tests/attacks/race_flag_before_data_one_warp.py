# task: running_sum  reason: race
# As race_flag_before_data, in a single warp.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scan(x_ptr, out_ptr, ticket_ptr, flag_ptr, prefix_ptr, count, BLOCK: tl.constexpr):
    part = tl.atomic_add(ticket_ptr, 1)
    i = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < count, other=0.0)
    before = 0.0
    if part > 0:
        while tl.atomic_add(flag_ptr + part - 1, 0, sem="acquire") == 0:
            pass
        before = tl.load(prefix_ptr + part - 1)
    tl.atomic_xchg(flag_ptr + part, 1, sem="release")
    tl.store(prefix_ptr + part, before + tl.sum(x, axis=0))
    tl.store(out_ptr + i, before + tl.cumsum(x, axis=0), mask=i < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        parts = triton.cdiv(x.numel(), 1024)
        ticket = torch.zeros(1, dtype=torch.int32, device=x.device)
        flags = torch.zeros(parts, dtype=torch.int32, device=x.device)
        prefixes = torch.zeros(parts, device=x.device)
        scan[(parts,)](x, out, ticket, flags, prefixes, x.numel(), BLOCK=1024, num_warps=1)
        return out
