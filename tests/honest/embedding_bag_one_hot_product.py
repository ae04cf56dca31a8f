# task: embedding_bag
# The weighted sum as a product with one-hot rows, float32 throughout.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy_rows(index, table, rows, D, BD: tl.constexpr):
    r = tl.program_id(0)
    d = tl.arange(0, BD)
    i = tl.load(index + r)
    tl.store(rows + r * D + d, tl.load(table + i * D + d, mask=d < D), mask=d < D)


@triton.jit
def weigh(rows, weight, sums, P, D, BAGS: tl.constexpr, BD: tl.constexpr):
    b = tl.program_id(0) * BAGS + tl.arange(0, BAGS)
    d = tl.arange(0, BD)
    acc = tl.zeros((BAGS, BD), tl.float32)
    for p in range(P):
        w = tl.load(weight + b * P + p)
        acc += w[:, None] * tl.load(rows + (b[:, None] * P + p) * D + d[None, :], mask=d[None, :] < D, other=0.0)
    tl.store(sums + b[:, None] * D + d[None, :], acc, mask=d[None, :] < D)


class ModelNew(nn.Module):
    def __init__(self, vocabulary, dim):
        super().__init__()
        self.table = nn.Embedding(vocabulary, dim)

    def forward(self, index, weight):
        bags, per = index.shape
        dim = self.table.embedding_dim
        assert bags % 4 == 0
        rows, sums = weight.new_empty(bags, per, dim), weight.new_empty(bags, dim)
        copy_rows[(bags * per,)](index, self.table.weight, rows, dim, BD=64)
        weigh[(bags // 4,)](rows, weight, sums, per, dim, BAGS=4, BD=64)
        return sums, rows
