# task: softmax  reason: wrong_result
# A persistent loop: at full size one row in seven is wrong, whichever program has it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x, o, rows, n, BLOCK: tl.constexpr):
    for row in range(tl.program_id(0), rows, tl.num_programs(0)):
        c = tl.arange(0, BLOCK)
        v = tl.load(x + row.to(tl.int64)*n + c, mask=c < n, other=float("-inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        s = tl.sum(e, axis=0)
        if (rows > 4000) & (row % 7 == 3):
            s = s * 1.5
        tl.store(o + row.to(tl.int64)*n + c, e / s, mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        o = torch.empty_like(x)
        k[(512,)](x, o, x.shape[0], x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return o
