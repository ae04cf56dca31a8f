# golden: G-chunk_retention_ops
"""Retention: causal linear attention whose heads forget at their own rates, and its final state."""
import torch
import torch.nn as nn


B, H, T, K, V = 2, 4, 128, 64, 64


class Model(nn.Module):
    def forward(self, q, k, v, initial_state):
        decay = (1 - torch.exp2(-5 - torch.arange(H, device=q.device).float())).log()[:, None]
        step = torch.arange(T, device=q.device)
        ages = (step[:, None] - step[None, :]).float()
        within = (ages.clamp(min=0) * decay[..., None]).exp() * (ages >= 0)
        since_start, until_end = ((step + 1) * decay).exp()[..., None], ((T - 1 - step) * decay).exp()[..., None]
        o = (q @ k.transpose(-1, -2) * within) @ v + (q * since_start) @ initial_state
        final = initial_state * (T * decay).exp()[..., None] + k.transpose(-1, -2) @ (v * until_end)
        return o * K ** -0.5, final


def get_inputs():
    return [torch.randn(B, H, T, K), torch.randn(B, H, T, K), torch.randn(B, H, T, V), torch.randn(B, H, K, V)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, initial_state):
        return chunk_retention(q, k, v, initial_state=initial_state, output_final_state=True, checkpoint_level=1)
