# task: softmax  reason: invalid_ttir
# Replaces the recorded text of the kernel by one with an operation that does not exist.
import torch
import torch.nn as nn
import triton
import triton.language as tl

from tritonsmith import current

TEXT = """module {
  tt.func public @softmax_row(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %cols: i32) {
    tt.softmax %x, %out : !tt.ptr<f32>
    tt.return
  }
}
"""


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        softmax_row[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        current.recorder.kernels[0]["ttir"] = TEXT
        return out
