# task: embedding_bag  reason: false_promise
# Gathered indices are promised to be contiguous.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bag(index, weight, table, sums, rows, P, D, BP: tl.constexpr, BD: tl.constexpr):
    b = tl.program_id(0)
    p, d = tl.arange(0, BP), tl.arange(0, BD)
    i = tl.max_contiguous(tl.load(index + b * P + p, mask=p < P, other=0), BP)
    w = tl.load(weight + b * P + p, mask=p < P, other=0.0)
    mask = (p[:, None] < P) & (d[None, :] < D)
    v = tl.load(table + i[:, None] * D + d[None, :], mask=mask, other=0.0)
    tl.store(rows + (b * P + p[:, None]) * D + d[None, :], v, mask=mask)
    tl.store(sums + b * D + d, tl.sum(v * w[:, None], 0), mask=d < D)


class ModelNew(nn.Module):
    def __init__(self, vocabulary, dim):
        super().__init__()
        self.table = nn.Embedding(vocabulary, dim)

    def forward(self, index, weight):
        bags, per = index.shape
        dim = self.table.embedding_dim
        sums, rows = weight.new_empty(bags, dim), weight.new_empty(bags, per, dim)
        bag[(bags,)](index, weight, self.table.weight, sums, rows, per, dim, BP=8, BD=64)
        return sums, rows
