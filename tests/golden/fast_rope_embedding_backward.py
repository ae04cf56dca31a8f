# golden: G-fast_rope_embedding
"""The gradients of the rotary embedding of queries and keys, by halves."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 8, 4, 16


def rotated(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Model(nn.Module):
    def forward(self, q, k, cos, sin, dq, dk):
        return rotated(q, cos, sin), rotated(k, cos, sin), rotated(dq, cos, -sin), rotated(dk, cos, -sin)


def get_inputs():
    q, k, dq, dk = (torch.randn(BATCH, HEADS, LENGTH, DIM) for _ in range(4))
    return [q, k, torch.randn(LENGTH, DIM // 2), torch.randn(LENGTH, DIM // 2), dq, dk]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, cos, sin, dq, dk):
        with torch.enable_grad():
            q, k = (t.detach().requires_grad_() for t in (q, k))
            turned = fast_rope_embedding(q, k, cos, sin)
            return *turned, *torch.autograd.grad(turned, (q, k), (dq, dk))
