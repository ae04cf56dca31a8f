# task: bins_of_a_buffer
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bins(x_ptr, edge_ptr, out_ptr, count, EDGES: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    bin = tl.zeros((BLOCK,), tl.int64)
    for i in range(EDGES):
        bin += (x > tl.load(edge_ptr + i)).to(tl.int64)
    tl.store(out_ptr + at, bin, mask=at < count)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("edges", torch.tensor([-1.5, -0.5, 0.25, 1.0, 2.0]))

    def forward(self, x):
        out = torch.empty(x.shape, device=x.device, dtype=torch.int64)
        bins[(triton.cdiv(x.numel(), 1024),)](x, self.edges, out, x.numel(), self.edges.numel(), BLOCK=1024)
        return out
