# golden: G-softmax_reducev
# (With values as the kernel takes them; as its test gives them: softmax_reducev.)
"""Softmax of logits and the sum of the values that a table names, weighted by it; values as [tokens, heads, features]."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 2, 128, 64


class Model(nn.Module):
    def forward(self, logits, v, b_loc, b_start, b_len):
        weights = torch.softmax(logits.unflatten(1, (BATCH, LENGTH)), -1)
        return torch.einsum("hbn,bnhd->bhd", weights, v[b_loc.long()])


def get_inputs():
    return [torch.randn(HEADS, BATCH * LENGTH), torch.randn(LENGTH, HEADS, DIM),
            torch.randint(0, LENGTH, (BATCH, LENGTH), dtype=torch.int32),
            torch.tensor([0, LENGTH], dtype=torch.int32), torch.tensor([LENGTH, LENGTH], dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, logits, v, b_loc, b_start, b_len):
        batch, length = b_loc.shape
        o = torch.empty((batch, v.shape[1], v.shape[2]), dtype=torch.float32, device="cuda")
        token_softmax_reducev_fwd(logits, v, o, b_loc, b_start, b_len, length, 0)
        return o
