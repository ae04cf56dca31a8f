# task: codebook
# Codes, table and order as buffers of the task's names.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scaled_entries(x, order, codes, table, y, groups, WIDTH: tl.constexpr):
    row, group = tl.program_id(0), tl.program_id(1)
    value = tl.load(x + row * groups + tl.load(order + group))
    w = tl.arange(0, WIDTH)
    entry = tl.load(table + tl.load(codes + group) * WIDTH + w)
    tl.store(y + (row * groups + group) * WIDTH + w, value * entry)


class ModelNew(nn.Module):
    def __init__(self, groups, entries, width):
        super().__init__()
        self.register_buffer("codes", torch.randint(0, entries, (groups,)))
        self.register_buffer("table", torch.randn(entries, width))
        self.register_buffer("order", torch.randperm(groups))

    def forward(self, x):
        width = self.table.shape[1]
        y = torch.empty(*x.shape, width, device=x.device)
        scaled_entries[x.shape](x, self.order, self.codes, self.table, y, x.shape[1], WIDTH=width)
        return y
