# task: means_of_kept_labels  reason: wrong_result
# A row of which nothing is left is 0/0.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_means(x_ptr, label_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    inside = col < columns
    x = tl.load(x_ptr + row * columns + col, mask=inside, other=0.0)
    label = tl.load(label_ptr + row * columns + col, mask=inside, other=-1)
    kept = label != -1
    count = tl.sum(kept.to(tl.float32), 0)
    tl.store(out_ptr + row, tl.sum(tl.where(kept, x, 0.0), 0) / count)


class ModelNew(nn.Module):
    def forward(self, x, labels):
        rows, columns = x.shape
        out = torch.empty(rows, device=x.device, dtype=x.dtype)
        row_means[(rows,)](x, labels, out, columns, BLOCK=triton.next_power_of_2(columns))
        return out
