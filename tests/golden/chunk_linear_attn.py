# golden: G-chunk_linear_attn
"""Causal linear attention and its final state."""
import torch
import torch.nn as nn


B, H, T, K, V = 2, 4, 128, 64, 64


class Model(nn.Module):
    def forward(self, q, k, v, initial_state):
        scores = (q @ k.transpose(-1, -2)).tril()
        o = (scores @ v + q @ initial_state) * K ** -0.5
        return o, initial_state + k.transpose(-1, -2) @ v


def get_inputs():
    return [torch.randn(B, H, T, K), torch.randn(B, H, T, K), torch.randn(B, H, T, V), torch.zeros(B, H, K, V)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, initial_state):
        return chunk_linear_attn(q, k, v, 1.0 / (q.shape[-1] ** 0.5), initial_state=initial_state, output_final_state=True)
