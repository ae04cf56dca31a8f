# task: add  reason: nondeterministic
# Memory that the module keeps is overwritten while the call before may still read it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def twice(y_ptr, out_ptr, begin, end, BLOCK: tl.constexpr):
    i = begin + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, 2.0 * tl.load(y_ptr + i, mask=i < end), mask=i < end)


@triton.jit
def added(x_ptr, y_ptr, out_ptr, begin, end, factor, BLOCK: tl.constexpr):
    i = begin + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y = tl.load(x_ptr + i, mask=i < end), tl.load(y_ptr + i, mask=i < end)
    tl.store(out_ptr + i, x + factor * y, mask=i < end)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.side, self.kept = None, None

    def forward(self, x, y):
        if self.side is None:
            self.side = torch.cuda.Stream()
        side, here = self.side, torch.cuda.current_stream()
        out, n = torch.empty_like(x), x.numel()
        grid = (triton.cdiv(n, 512),)
        if self.kept is None:
            self.kept = torch.empty_like(x)
        t, ready = self.kept, torch.cuda.Event()
        with torch.cuda.stream(side):
            t.zero_()
        side.wait_stream(here)
        with torch.cuda.stream(side):
            twice[grid](y, t, 0, n, BLOCK=512)
        here.wait_stream(side)
        added[grid](x, t, out, 0, n, 1.0, BLOCK=512)
        return out
