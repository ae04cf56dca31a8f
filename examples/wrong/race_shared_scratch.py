# task: softmax  reason: race
# All programs keep their row's sum in the same scratch word.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, scratch_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(scratch_ptr, tl.sum(exponent, axis=0))
    tl.debug_barrier()
    tl.store(out_ptr + row * cols + col, exponent / tl.load(scratch_ptr), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        scratch = torch.empty(1, device=x.device)
        softmax_row[(x.shape[0],)](x, out, scratch, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
