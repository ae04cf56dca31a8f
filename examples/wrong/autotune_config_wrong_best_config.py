# task: row_reduction  reason: autotune_config_wrong
# Asks which configuration was chosen and sizes a second kernel by it: right for the first one only.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"PARTS": 4}), triton.Config({"PARTS": 8})], key=["cols"])
@triton.jit
def partial_sums(x_ptr, partial_ptr, cols, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for part in range(PARTS):
        total = tl.zeros([BLOCK], dtype=tl.float32)
        for begin in range(part * BLOCK, cols, PARTS * BLOCK):
            col = begin + tl.arange(0, BLOCK)
            total += tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)
        tl.store(partial_ptr + row * 8 + part, tl.sum(total, axis=0))


@triton.jit
def add_partials(partial_ptr, out_ptr, PARTS: tl.constexpr):
    row = tl.program_id(0)
    tl.store(out_ptr + row, tl.sum(tl.load(partial_ptr + row * 8 + tl.arange(0, PARTS)), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        partial = torch.empty((rows, 8), device=x.device)
        out = torch.empty(rows, device=x.device)
        partial_sums[(rows,)](x, partial, cols, BLOCK=64)
        parts = min(partial_sums.best_config.kwargs["PARTS"], 4)
        add_partials[(rows,)](partial, out, PARTS=parts)
        return out
