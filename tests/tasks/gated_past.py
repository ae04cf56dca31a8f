"""A scan whose decays are computed from inputs."""
import torch
import torch.nn as nn

N = 4
T = 96
D = 32


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, d):
        a = torch.exp(-nn.functional.softplus(d))
        h = torch.zeros_like(x[:, 0])
        out = []
        for t in range(x.shape[1]):
            h = a[:, t] * h + x[:, t]
            out.append(h)
        return torch.stack(out, 1)


def get_inputs():
    return [torch.randn(N, T, D), torch.randn(N, T, D)]


def get_init_inputs():
    return []
