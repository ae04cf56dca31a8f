# task: equal_lines_and_top  reason: wrong_result
# Where nothing is asked for it divides by zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x_ptr, asked_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + at, mask=at < cols, other=0.0)
    asked = tl.load(asked_ptr + row * cols + at, mask=at < cols, other=0).to(tl.float32)
    count = tl.sum(asked, 0)
    out = tl.sum(x * asked, 0) / count
    x = tl.where(at < cols, x, float("-inf"))
    for _ in tl.static_range(4):
        out += tl.max(x, 0)
        x = tl.where(at == tl.argmax(x, 0), float("-inf"), x)
    tl.store(out_ptr + row, out)


class ModelNew(nn.Module):
    def forward(self, x, asked):
        rows, cols = x.shape
        out = x.new_empty(rows)
        means[(rows,)](x, asked, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
