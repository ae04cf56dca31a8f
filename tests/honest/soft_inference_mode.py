# task: soft
# In inference mode, with an assertion for every assumption and a device guard.
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


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with torch.inference_mode(), torch.cuda.device(x.device):
            assert x.is_cuda and x.is_contiguous() and x.dtype == torch.float32 and x.ndim == 2
            assert x.stride(-1) == 1 and not x.requires_grad and torch.cuda.is_available()
            out = torch.empty(x.shape, dtype=x.dtype, device=x.device, requires_grad=False)
            softmax_row[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
            return out
