# golden: G-softmax_reducev  reason: out_of_bounds
# Its test gives values as [heads, tokens, features], which the kernel takes as [tokens, heads, features]: token numbers up to 127
# as the index of a dimension of two. (With other_kv_index=-1 it also reads before the tensor.)
"""Softmax of logits and the sum of the values that a table names, weighted by it."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 2, 128, 64


class Model(nn.Module):
    def forward(self, logits, v, b_loc, b_start, b_len):
        weights = torch.softmax(logits[:, :LENGTH], -1)  # both sequences begin at 0 and have full length
        return torch.einsum("hn,hbnd->bhd", weights, v[:, b_loc.long()])


def get_inputs():
    return [torch.randn(HEADS, BATCH * LENGTH), torch.randn(HEADS, LENGTH, DIM),
            torch.randint(0, LENGTH, (BATCH, LENGTH), dtype=torch.int32),
            torch.tensor([0, 0], dtype=torch.int32), torch.tensor([LENGTH, LENGTH], dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, logits, v, b_loc, b_start, b_len):
        batch, length = b_loc.shape
        o = torch.empty((batch, v.shape[0], v.shape[2]), dtype=torch.float32, device="cuda")
        token_softmax_reducev_fwd(logits, v, o, b_loc, b_start, b_len, length, 0)
        return o
