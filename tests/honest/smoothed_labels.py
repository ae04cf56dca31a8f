# task: smoothed_labels
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def smoothed(logit_ptr, label_ptr, out_ptr, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    inside = col < classes
    x = tl.load(logit_ptr + row * classes + col, mask=inside, other=float("-inf"))
    top = tl.max(x, 0)
    log_sum = top + tl.log(tl.sum(tl.exp(x - top), 0))
    own = log_sum - tl.load(logit_ptr + row * classes + tl.load(label_ptr + row))
    every = tl.sum(tl.where(inside, log_sum - x, 0.0), 0) / classes
    tl.store(out_ptr + row, 0.8 * own + 0.2 * every)


class ModelNew(nn.Module):
    def forward(self, logits, labels):
        rows, classes = logits.shape
        out = torch.empty(rows, device=logits.device, dtype=logits.dtype)
        smoothed[(rows,)](logits, labels, out, classes, BLOCK=triton.next_power_of_2(classes))
        return out
