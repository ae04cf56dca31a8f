# golden: G-token_attn_llama2  reason: out_of_bounds
# Its test gives queries and keys as [batch, heads, tokens, features] and scores as [batch, heads, tokens], where the kernel takes
# [batch, heads, features], [tokens, heads, features] and [heads, tokens]: it stores behind the scores.
"""Scores of one query for each sequence and the keys that a table names."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 4, 64, 32


class Model(nn.Module):
    def forward(self, q, k, places, starts, lengths):
        keys = torch.stack([k[b, :, places[b].long()] for b in range(BATCH)])  # [batch, heads, tokens, features]
        return (keys * q[:, :, :1]).sum(-1) * DIM ** -0.5


def get_inputs():
    return [torch.randn(BATCH, HEADS, LENGTH, DIM), torch.randn(BATCH, HEADS, LENGTH, DIM),
            torch.randint(0, LENGTH, (BATCH, LENGTH), dtype=torch.int32),
            torch.randint(0, LENGTH, (BATCH,), dtype=torch.int32), torch.randint(1, LENGTH + 1, (BATCH,), dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, places, starts, lengths):
        scores = torch.zeros(q.shape[:3], dtype=torch.float32, device="cuda")
        token_att_fwd(q, k, scores, places, starts, lengths, q.shape[2])
        return scores
