# task: max_pool  reason: out_of_bounds
# Reads outside the image and drops the values afterwards: right on most machines, and a fault on some.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_pool2d(x_ptr, out_ptr, height, width, out_height, out_width, stride, padding,
               WINDOW: tl.constexpr, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    index = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = index < out_height * out_width
    top = index // out_width * stride - padding
    left = index % out_width * stride - padding
    best = tl.full([BLOCK], float("-inf"), dtype=tl.float32)
    for dy in tl.static_range(WINDOW):
        for dx in tl.static_range(WINDOW):
            y, x = top + dy, left + dx
            value = tl.load(x_ptr + plane * height * width + y * width + x, mask=inside)
            valid = (y >= 0) & (y < height) & (x >= 0) & (x < width)
            best = tl.maximum(best, tl.where(valid, value, float("-inf")))
    tl.store(out_ptr + plane * out_height * out_width + index, best, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, kernel_size, stride, padding):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding

    def forward(self, x):
        batch, channels, height, width = x.shape
        out_height = (height + 2 * self.padding - self.kernel_size) // self.stride + 1
        out_width = (width + 2 * self.padding - self.kernel_size) // self.stride + 1
        out = x.new_empty((batch, channels, out_height, out_width))
        grid = (batch * channels, triton.cdiv(out_height * out_width, 512))
        max_pool2d[grid](x, out, height, width, out_height, out_width, self.stride, self.padding,
                         WINDOW=self.kernel_size, BLOCK=512)
        return out
