# task: nearest_code_f16  reason: wrong_result
# One code is never looked at.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x_ptr, codes_ptr, y_ptr, CODES: tl.constexpr, DIM: tl.constexpr, BLOCK: tl.constexpr):
    row, d = tl.program_id(0), tl.arange(0, DIM)
    x = tl.load(x_ptr + row * DIM + d).to(tl.float32)
    best, place = -1e30, 0
    for start in range(0, CODES, BLOCK):
        c = start + tl.arange(0, BLOCK)
        w = tl.load(codes_ptr + c[:, None] * DIM + d[None, :]).to(tl.float32)
        score = 2 * tl.sum(w * x[None, :], axis=1) - tl.sum(w * w, axis=1)
        score = tl.where(c != 100, score, -1e30)
        top = tl.max(score, axis=0)
        at = start + tl.argmax(score, axis=0)
        place = tl.where(top > best, at, place)
        best = tl.maximum(best, top)
    tl.store(y_ptr + row * DIM + d, tl.load(codes_ptr + place * DIM + d))


class ModelNew(nn.Module):
    def __init__(self, codes, dim):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(codes, dim).half())

    def forward(self, x):
        y = torch.empty_like(x)
        run[(x.shape[0],)](x, self.codes, y, CODES=self.codes.shape[0], DIM=x.shape[1], BLOCK=32)
        return y
