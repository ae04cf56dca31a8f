# task: add
# Works in place on a clone, through a submodule of a submodule and a hook that changes nothing.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def accumulate(out_ptr, y_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    tl.store(out_ptr + index, tl.load(out_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    class Inner(nn.Module):
        def forward(self, out, y):
            accumulate[(triton.cdiv(out.numel(), 1024),)](out, y, out.numel(), BLOCK=1024)
            return out

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([self.Inner()])
        self.layers[0].register_forward_hook(lambda module, args, out: None)

    def forward(self, x, y):
        return self.layers[0](x.clone(), y)
