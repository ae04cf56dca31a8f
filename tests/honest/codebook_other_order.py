# task: codebook
# Registered in another order, with a copy of the table as a plain attribute.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, order, codes, table, y, groups, G: tl.constexpr, WIDTH: tl.constexpr):
    row = tl.program_id(0)
    g = tl.arange(0, G)
    inside = g < groups
    value = tl.load(x + row * groups + tl.load(order + g, mask=inside, other=0), mask=inside)
    w = tl.arange(0, WIDTH)
    code = tl.load(codes + g, mask=inside, other=0)
    entry = tl.load(table + code[:, None] * WIDTH + w[None, :])
    tl.store(y + (row * groups + g[:, None]) * WIDTH + w[None, :], value[:, None] * entry, mask=inside[:, None])


class ModelNew(nn.Module):
    def __init__(self, groups, entries, width):
        super().__init__()
        self.register_buffer("order", torch.randperm(groups))
        self.register_buffer("table", torch.randn(entries, width))
        self.register_buffer("codes", torch.randint(0, entries, (groups,)))
        self.entries = self.table.clone().cuda()

    def forward(self, x):
        width = self.table.shape[1]
        y = torch.empty(*x.shape, width, device=x.device)
        rows[(x.shape[0],)](x, self.order, self.codes, self.entries, y, x.shape[1],
                            G=triton.next_power_of_2(x.shape[1]), WIDTH=width)
        return y
