# task: soft
# Arguments that are not to be specialised, and a persistent loop with several rows.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit(do_not_specialize=["rows", "cols"], do_not_specialize_on_alignment=["x_ptr"])
def softmax_rows(x_ptr, out_ptr, rows, cols, BLOCK: tl.constexpr):
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        col = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
        tl.store(out_ptr + row * cols + col, tl.softmax(x), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = x.new_empty(*x.shape)
        softmax_rows[(8,)](x, out, *x.shape, BLOCK=256)
        return out
