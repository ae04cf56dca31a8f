# task: row_sums  reason: nondeterministic
# Atomics in half precision: every order of arrival rounds otherwise, and all of them too much.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0), axis=0)
    tl.atomic_add(out_ptr + row, part.to(tl.float16))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.zeros(rows, dtype=torch.float16, device=x.device)
        partial[(rows, triton.cdiv(cols, 64))](x, out, cols, BLOCK=64)
        return out.float()
