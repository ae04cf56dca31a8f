"""Attention written out, in float32: scores of keys behind the query are -inf."""
import torch
import torch.nn as nn

BATCH = 6
LENGTH = 1024


class Model(nn.Module):
    def forward(self, q, k, v):
        scores = torch.bmm(q, k.transpose(1, 2)) * 0.125
        seen = torch.ones(scores.shape[1:], dtype=torch.bool, device=q.device).tril()
        return torch.bmm(torch.softmax(torch.where(seen, scores, float("-inf")), dim=-1), v)


def get_inputs():
    return [torch.randn(BATCH, LENGTH, 64) for _ in range(3)]


def get_init_inputs():
    return []
