# golden: G-context_attn_llama
# Its test leaves the table of places uninitialised and lets all sequences begin at row 0; here both are filled as the kernel's
# users do, with fewer heads and sequences of a quarter of the length.
"""Attention of the new tokens of sequences whose first 64 tokens are cached; keys and values are found by a table."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM, CACHED = 4, 4, 512, 128, 64


class Model(nn.Module):
    def forward(self, q, k, v, req_to_token):
        place = req_to_token[:, :LENGTH].long()  # [batch, length]
        k, v = (t[place].float().transpose(1, 2) for t in (k, v))
        q = q.float().unflatten(0, (BATCH, LENGTH - CACHED)).transpose(1, 2)
        scores = q @ k.transpose(-1, -2) / DIM ** 0.5
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1 + CACHED)
        out = torch.softmax(scores.masked_fill(later, float("-inf")), -1) @ v
        return out.transpose(1, 2).flatten(0, 1).half()


def get_inputs():
    q = torch.empty((BATCH * (LENGTH - CACHED), HEADS, DIM), dtype=torch.float16).normal_(mean=0.1, std=0.2)
    k = torch.empty((BATCH * LENGTH, HEADS, DIM), dtype=torch.float16).normal_(mean=0.4, std=0.2)
    v = torch.empty((BATCH * LENGTH, HEADS, DIM), dtype=torch.float16).normal_(mean=0.3, std=0.2)
    return [q, k, v, torch.arange(BATCH * LENGTH, dtype=torch.int32).view(BATCH, LENGTH)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, req_to_token):
        o, (batch, length) = torch.empty_like(q), req_to_token.shape
        requests = torch.arange(batch, dtype=torch.int32, device="cuda")
        starts = torch.arange(batch, dtype=torch.int32, device="cuda") * (length - 64)
        lengths = torch.full((batch,), length, dtype=torch.int32, device="cuda")
        cached = torch.full((batch,), 64, dtype=torch.int32, device="cuda")
        context_attention_fwd(q, k, v, o, requests, starts, lengths, cached, length, req_to_token)
        return o
