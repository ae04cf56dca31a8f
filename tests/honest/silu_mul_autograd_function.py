# task: silu_mul
# Wrapped as training libraries do: an autograd function with a backward that nobody calls here, a settings helper, rows
# addressed by stride, the output written over the first input's copy.
import torch
import torch.nn as nn
import triton
import triton.language as tl


def calculate_settings(n):
    block = triton.next_power_of_2(n)
    if block > 65536:
        raise RuntimeError(f"cannot launch a Triton kernel: {n} exceeds the largest block")
    return block, 4 if block < 2048 else 8


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def _forward_kernel(a, b, c, stride, n_cols: tl.constexpr, BLOCK_SIZE: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    a += row * stride
    b += row * stride
    c += row * stride
    col = tl.arange(0, BLOCK_SIZE)
    mask = col < n_cols
    a_row = tl.load(a + col, mask=mask, other=0).to(tl.float32)
    b_row = tl.load(b + col, mask=mask, other=0)
    tl.store(c + col, silu(a_row).cast(b_row.dtype) * b_row, mask=mask)


class SiLUMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        shape = a.shape
        a = a.view(-1, shape[-1])
        b = b.view(-1, shape[-1])
        c = torch.empty_like(a)
        block, warps = calculate_settings(shape[-1])
        _forward_kernel[(a.shape[0],)](a, b, c, c.stride(-2), n_cols=shape[-1], BLOCK_SIZE=block, num_warps=warps)
        ctx.save_for_backward(a, b)
        return c.view(*shape)

    @staticmethod
    def backward(ctx, dc):
        raise NotImplementedError


class ModelNew(nn.Module):
    def forward(self, gate, up):
        return SiLUMul.apply(gate, up)
