# task: mask_bernoulli_first  reason: wrong_result
# The first one is looked for among the first 64 elements, where one always is.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def first_one(x_ptr, m_ptr, where_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    m = tl.load(m_ptr + row * cols + c, mask=c < cols, other=0).to(tl.int32)
    first = tl.argmax(m, axis=0)
    tl.store(where_ptr + row, first)
    tl.store(out_ptr + row, tl.load(x_ptr + row * cols + first))


class ModelNew(nn.Module):
    def forward(self, x, mask):
        where = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        out = torch.empty(x.shape[0], 1, device=x.device)
        first_one[(x.shape[0],)](x, mask, where, out, x.shape[1], BLOCK=64)
        return where, out
