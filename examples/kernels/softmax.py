# task: softmax
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.heuristics({
    "BLOCK": lambda args: triton.next_power_of_2(args["cols"]),
    "num_warps": lambda args: 8 if args["cols"] > 2048 else 4,
})
@triton.jit
def softmax_row(x_ptr, out_ptr, x_stride, out_stride, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    inside = col < cols
    x = tl.load(x_ptr + row * x_stride + col, mask=inside, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * out_stride + col, exponent / tl.sum(exponent, axis=0), mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        assert x.dim() == 2, "a matrix is expected"
        out = torch.empty_like(x)
        softmax_row[(x.shape[0],)](x, out, x.stride(0), out.stride(0), x.shape[1])
        return out
