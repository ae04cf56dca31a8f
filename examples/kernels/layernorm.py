# task: layernorm
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layernorm_forward(x_ptr, weight_ptr, bias_ptr, out_ptr, cols, eps, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * cols
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + start + col, mask=col < cols, other=0.0)
    mean = tl.sum(total, axis=0) / cols
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + start + col, mask=col < cols, other=0.0)
        centred = tl.where(col < cols, x - mean, 0.0)
        squares += centred * centred
    inverse = 1.0 / tl.sqrt(tl.sum(squares, axis=0) / cols + eps)
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        inside = col < cols
        x = tl.load(x_ptr + start + col, mask=inside, other=0.0)
        weight = tl.load(weight_ptr + col, mask=inside)
        bias = tl.load(bias_ptr + col, mask=inside)
        tl.store(out_ptr + start + col, (x - mean) * inverse * weight + bias, mask=inside)


class LayerNormFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        x = x.contiguous()
        cols = x.shape[-1]
        out = torch.empty_like(x)
        layernorm_forward[(x.numel() // cols,)](x, weight, bias, out, cols, eps, BLOCK=1024, num_warps=4)
        ctx.save_for_backward(x, weight)
        return out


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)  # holds the parameters; its forward is not used

    def forward(self, x):
        return LayerNormFunction.apply(x, self.norm.weight, self.norm.bias, self.norm.eps)
