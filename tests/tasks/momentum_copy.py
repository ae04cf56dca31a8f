"""Two parameters, one of which starts as a copy of the other."""
import torch
import torch.nn as nn


B = 512
I = 256


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Parameter(torch.randn(I))
        self.k = nn.Parameter(torch.empty(I))
        self.k.data.copy_(self.q.data)

    def forward(self, x):
        return torch.tanh(x * self.q) - torch.sigmoid(x * self.k)


def get_inputs():
    return [torch.randn(B, I)]


def get_init_inputs():
    return []
