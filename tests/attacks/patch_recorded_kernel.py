# task: soft  reason: invalid_ttir
# The recorded text of a kernel is replaced by something else.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=index < count), mask=index < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out, source = torch.empty_like(x), x
        copy[(triton.cdiv(out.numel(), 512),)](source, out, out.numel(), BLOCK=512)
        import tritonsmith.current as current
        current.recorder.kernels[0]["ttir"] = "module { tt.func public @copy() { tt.return_the_expected_output } }"
        return out
