"""h[t] = a[t] * h[t-1] + b[t] along time, as in gated linear recurrences."""
import torch
import torch.nn as nn


BATCH = 3
TIME = 40
DIM = 48


class Model(nn.Module):
    def forward(self, a, b):
        h = torch.zeros_like(b[:, 0])
        out = []
        for t in range(b.shape[1]):
            h = a[:, t] * h + b[:, t]
            out.append(h)
        return torch.stack(out, dim=1)


def get_inputs():
    return [torch.rand(BATCH, TIME, DIM), torch.randn(BATCH, TIME, DIM)]


def get_init_inputs():
    return []
