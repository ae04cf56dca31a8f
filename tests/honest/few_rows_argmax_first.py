# task: few_rows_argmax
# Of equal places the first.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best, place = float('-inf'), tl.full([], -1, tl.int64)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=float('-inf'))
        most = tl.max(v)
        at = (start + tl.argmax(v, 0)).to(tl.int64)
        place = tl.where(most > best, at, place)
        best = tl.maximum(best, most)
    tl.store(out + row, place)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        run[(x.shape[0],)](x, out, x.shape[1], BLOCK=2048)
        return out
