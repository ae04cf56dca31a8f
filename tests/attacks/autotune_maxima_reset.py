# task: largest_of_columns  reason: autotune_not_restored
# The tuner sets to zero what starts at minus infinity.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"ROWS": 16}), triton.Config({"ROWS": 32})], key=["rows"], reset_to_zero=["out_ptr"])
@triton.jit
def add_rows(x_ptr, out_ptr, rows, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, BLOCK)
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    x = tl.load(x_ptr + row[:, None] * cols + col[None, :], mask=inside, other=float("-inf"))
    tl.atomic_max(out_ptr + col, tl.max(x, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.full((x.shape[1],), float("-inf"), device=x.device)
        add_rows[lambda meta: (triton.cdiv(x.shape[0], meta["ROWS"]),)](x, out, x.shape[0], x.shape[1], BLOCK=256)
        return out
