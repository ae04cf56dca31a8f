# task: soft
# An operator of the program's own with a fake implementation beside it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


@torch.library.custom_op("mine::softmax", mutates_args=())
def softmax(x: torch.Tensor, block: int) -> torch.Tensor:
    out = torch.empty_like(x)
    softmax_row[(x.shape[0],)](x, out, x.shape[1], BLOCK=block)
    return out


@softmax.register_fake
def _(x, block):
    return torch.empty_like(x)


class ModelNew(nn.Module):
    def forward(self, x):
        return softmax(x, triton.next_power_of_2(x.shape[1]))
