# golden: G-chunk_gate_recurrence
"""The states before each chunk: each is the one before it, decayed, and what the chunk before added."""
import torch
import torch.nn as nn


B, H, N, DK, DV = 2, 4, 64, 64, 64


class Model(nn.Module):
    def forward(self, kv, cross_decay, last_kv):
        states = [last_kv]
        for i in range(kv.shape[2] - 1):
            states.append(states[-1] * cross_decay[:, :, i, None, None] + kv[:, :, i])
        return torch.stack(states, 2)


def get_inputs():
    return [torch.randn(B, H, N, DK, DV), torch.randn(B, H, N), torch.randn(B, H, DK, DV)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, kv, cross_decay, last_kv):
        return chunk_gate_recurrent(kv, cross_decay, last_kv)
