# task: log_sums_f16  reason: wrong_result
# The largest term counts twice.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log_sums(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + c, mask=c < n, other=float("-inf")).to(tl.float32)
    top = tl.max(v, axis=0)
    total = tl.sum(tl.exp(v - top), axis=0) + 1.0
    tl.store(y + row, top + tl.log(total))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        y = torch.empty(rows, dtype=x.dtype, device=x.device)
        log_sums[(rows,)](x, y, n, triton.next_power_of_2(n))
        return y
