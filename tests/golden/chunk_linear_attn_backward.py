# golden: G-chunk_linear_attn  reason: host_compute
# The gradient of v is a partial sum for each block of features, added up by PyTorch (here of one).
"""The gradients of causal linear attention."""
import torch
import torch.nn as nn


B, H, T, K, V = 2, 4, 128, 64, 64


class Model(nn.Module):
    def forward(self, q, k, v, do):
        do = do * K ** -0.5
        scores, slopes = (q @ k.transpose(-1, -2)).tril(), (do @ v.transpose(-1, -2)).tril()
        return slopes @ k, slopes.transpose(-1, -2) @ q, scores.transpose(-1, -2) @ do


def get_inputs():
    return [torch.randn(B, H, T, K), torch.randn(B, H, T, K), torch.randn(B, H, T, V), torch.randn(B, H, T, V)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, do):
        with torch.enable_grad():
            q, k, v = (t.detach().requires_grad_() for t in (q, k, v))
            return torch.autograd.grad(chunk_linear_attn(q, k, v)[0], (q, k, v), do)
