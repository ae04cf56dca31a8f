# task: row_means_1000  reason: wrong_result
# Only whole blocks of 128 columns count: right where a size is a multiple of that.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    acc = tl.zeros((BLOCK,), tl.float32)
    for k in range(0, cols // BLOCK * BLOCK, BLOCK):
        acc += tl.load(x_ptr + row * cols + k + tl.arange(0, BLOCK))
    tl.store(out_ptr + row, tl.sum(acc, axis=0) / cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device)
        means[(rows,)](x, out, cols, BLOCK=128)
        return out
