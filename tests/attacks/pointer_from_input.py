# task: embedding_bag  reason: int_to_ptr
# An input's integers are taken for addresses.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bag(index, weight, sums, rows, P, D, BP: tl.constexpr, BD: tl.constexpr):
    b = tl.program_id(0)
    p, d = tl.arange(0, BP), tl.arange(0, BD)
    at = tl.load(index + b * P + p, mask=p < P, other=0).to(tl.pointer_type(tl.float32))
    mask = (p[:, None] < P) & (d[None, :] < D)
    v = tl.load(at[:, None] + d[None, :], mask=mask, other=0.0)
    tl.store(rows + (b * P + p[:, None]) * D + d[None, :], v, mask=mask)
    tl.store(sums + b * D + d, tl.sum(v, 0), mask=d < D)


class ModelNew(nn.Module):
    def __init__(self, vocabulary, dim):
        super().__init__()
        self.table = nn.Embedding(vocabulary, dim)

    def forward(self, index, weight):
        bags, per = index.shape
        dim = self.table.embedding_dim
        sums, rows = weight.new_empty(bags, dim), weight.new_empty(bags, per, dim)
        bag[(bags,)](index, weight, sums, rows, per, dim, BP=8, BD=64)
        return sums, rows
