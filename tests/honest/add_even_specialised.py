# task: add
# A heuristic decides whether a mask is needed; here it is.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.heuristics(values={"EVEN": lambda args: args["count"] % args["BLOCK"] == 0})
@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out_ptr + index, tl.load(x_ptr + index) + 2.0 * tl.load(y_ptr + index))
    else:
        ok = index < count
        tl.store(out_ptr + index, tl.load(x_ptr + index, mask=ok) + 2.0 * tl.load(y_ptr + index, mask=ok), mask=ok)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, y, out, x.numel(), BLOCK=256)
        return out
