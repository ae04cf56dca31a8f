# task: one_hot  reason: wrong_result
# The last class is never set.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def hot(label_ptr, out_ptr, count, classes, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    label = tl.load(label_ptr + at // classes, mask=at < count * classes, other=-1)
    tl.store(out_ptr + at, ((label == at % classes) & (label + 1 < classes)).to(tl.int64), mask=at < count * classes)


class ModelNew(nn.Module):
    def forward(self, labels):
        out = torch.empty(labels.numel(), 37, dtype=torch.int64, device=labels.device)
        hot[(triton.cdiv(out.numel(), 512),)](labels, out, labels.numel(), 37, BLOCK=512)
        return out
