# task: soft
# An operator whose helper wraps the kernel.
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


def launch(x, out):
    kernel = torch.library.wrap_triton(softmax_row)
    kernel[(x.shape[0], 1, 1)](x, out, x.shape[1], 256)


@torch.library.triton_op("rows_of::softmax_helped", mutates_args=())
def softmax_helped(x: torch.Tensor, scale: float = 1.0) -> torch.Tensor:
    out = torch.empty_like(x)
    launch(x, out)
    return out


class ModelNew(nn.Module):
    def forward(self, x):
        return softmax_helped(x, 1.0)
