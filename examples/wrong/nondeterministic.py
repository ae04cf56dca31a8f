# task: softmax  reason: nondeterministic
# Programs draw tickets, read their own row and write the ticket's: nothing races, and every run mixes the rows again.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, next_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    ticket = tl.atomic_add(next_ptr, 1)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row.to(tl.int64) * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + ticket.to(tl.int64) * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        following = torch.zeros(1, device=x.device, dtype=torch.int32)
        softmax_row[(x.shape[0],)](x, out, following, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
