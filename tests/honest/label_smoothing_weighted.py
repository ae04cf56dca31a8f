# task: label_smoothing_weighted
# No label is ignored that the task does not name.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, o0_ptr, w_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=m, other=float("-inf"))
    y = tl.load(y_ptr + row)
    w = tl.load(w_ptr + c, mask=m, other=0.0)
    mx = tl.max(x, axis=0)
    lse = tl.log(tl.sum(tl.exp(x - mx), axis=0)) + mx
    wy = tl.load(w_ptr + y)
    nll = (lse - tl.load(x_ptr + row * cols + y))
    lp = tl.where(m, lse - x, 0.0)
    r = 0.9 * nll * wy + 0.1 / cols * tl.sum(lp * w)
    tl.store(o0_ptr + row, r)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('w', torch.linspace(0.5, 1.5, 300))

    def forward(self, x, y):
        cols = x.shape[-1]; rows = x.numel() // cols
        o0 = torch.empty(rows, device=x.device)
        kernel[(rows,)](x, y, o0, self.w, cols, BLOCK=triton.next_power_of_2(cols))
        return o0
