# task: named_outputs  reason: output_structure
# Another name for one of the results.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def parts(x_ptr, above_ptr, below_ptr, sum_ptr, most_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    inside = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=inside, other=0.0)
    tl.store(above_ptr + row * cols + c, tl.maximum(x, 0.0), mask=inside)
    tl.store(below_ptr + row * cols + c, tl.maximum(-x, 0.0), mask=inside)
    tl.store(sum_ptr + row, tl.sum(x, axis=0))
    tl.store(most_ptr + row, tl.max(tl.where(inside, x, float("-inf")), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        above, below = torch.empty_like(x), torch.empty_like(x)
        total, most = torch.empty(rows, device=x.device), torch.empty(rows, device=x.device)
        parts[(rows,)](x, above, below, total, most, cols, BLOCK=triton.next_power_of_2(cols))
        return {"above": above, "under": below, "parts": [{"sum": total, "most": most}]}
