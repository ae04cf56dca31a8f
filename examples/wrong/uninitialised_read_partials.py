# task: cross_entropy  reason: uninitialised_read
# The second kernel reads more row losses than the first one wrote, relying on the rest being zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_losses(logits_ptr, targets_ptr, losses_ptr, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(logits_ptr + row * classes + col, mask=col < classes, other=float("-inf"))
    highest = tl.max(x, axis=0)
    total = tl.sum(tl.exp(x - highest), axis=0)
    target = tl.load(targets_ptr + row)
    tl.store(losses_ptr + row, highest + tl.log(total) - tl.load(logits_ptr + row * classes + target))


@triton.jit
def mean(values_ptr, out_ptr, count, BLOCK: tl.constexpr):
    total = tl.sum(tl.load(values_ptr + tl.arange(0, BLOCK)), axis=0)
    tl.store(out_ptr, total / count)


class ModelNew(nn.Module):
    def forward(self, logits, targets):
        rows, classes = logits.shape
        room = triton.next_power_of_2(rows + 1)
        losses = torch.empty(room, device=logits.device, dtype=torch.float32)
        out = torch.empty((), device=logits.device, dtype=logits.dtype)
        row_losses[(rows,)](logits, targets, losses, classes, BLOCK=triton.next_power_of_2(classes))
        mean[(1,)](losses, out, rows, BLOCK=room)
        return out
