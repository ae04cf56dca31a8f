# task: softmax  reason: out_of_memory
# Asks for a table of a tebibyte, of which it touches the first word.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, table_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.atomic_add(table_ptr, 1.0)
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        table = torch.empty(1 << 38, device=x.device)
        table[:1].zero_()
        softmax_row[(x.shape[0],)](x, out, table, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
