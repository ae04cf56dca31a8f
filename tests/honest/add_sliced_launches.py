# task: add
# Chunks of the tensors by narrow and split, a launch for each, one of them on another stream.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_twice(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x, y = tl.load(x_ptr + index, mask=inside), tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, x + 2.0 * y, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        result = torch.empty_like(x)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        half = x.numel() // 2
        for begin, stream in ((0, side), (half, torch.cuda.current_stream())):
            a, b, out = (t.narrow(0, begin, x.numel() - half if begin else half) for t in (x, y, result))
            with torch.cuda.stream(stream):
                add_twice[(triton.cdiv(out.numel(), 512),)](a, b, out, out.numel(), BLOCK=512)
        torch.cuda.current_stream().wait_stream(side)
        return result
