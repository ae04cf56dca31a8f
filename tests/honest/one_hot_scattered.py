# task: one_hot
# Zeros by the host, ones by the kernel.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def set_ones(label_ptr, out_ptr, count, classes, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    label = tl.load(label_ptr + at, mask=at < count, other=0)
    tl.store(out_ptr + at * classes + label, 1, mask=at < count)


class ModelNew(nn.Module):
    def forward(self, labels):
        out = torch.zeros(labels.numel(), 37, dtype=torch.int64, device=labels.device)
        set_ones[(triton.cdiv(labels.numel(), 128),)](labels, out, labels.numel(), 37, BLOCK=128)
        return out
