# task: soft
# The same instructions as inline assembly of one's own.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def wait_for_grid():
    tl.inline_asm_elementwise("griddepcontrol.wait; // dummy $0", "=r", [], dtype=tl.int32, is_pure=False, pack=1)


@triton.jit
def release_grid():
    tl.inline_asm_elementwise("griddepcontrol.launch_dependents; mov.u32 $0, 0;", "=r", [], dtype=tl.int32, is_pure=False, pack=1)


@triton.jit
def exponents(x_ptr, e_ptr, sum_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    wait_for_grid()
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(e_ptr + row * cols + col, exponent, mask=col < cols)
    tl.store(sum_ptr + row, tl.sum(exponent, axis=0))
    release_grid()


@triton.jit
def divide(e_ptr, sum_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    wait_for_grid()
    exponent = tl.load(e_ptr + row * cols + col, mask=col < cols)
    tl.store(out_ptr + row * cols + col, exponent / tl.load(sum_ptr + row), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out, exponent = torch.empty_like(x), torch.empty_like(x)
        sums = torch.empty(x.shape[0], device=x.device)
        exponents[(x.shape[0],)](x, exponent, sums, x.shape[1], BLOCK=256, launch_pdl=True)
        divide[(x.shape[0],)](exponent, sums, out, x.shape[1], BLOCK=256, launch_pdl=True)
        return out
