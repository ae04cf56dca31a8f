"""The last state of a recurrent layer."""
import torch
import torch.nn as nn

N = 6
T = 160
D = 12
H = 16


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.layer = nn.RNN(12, dim, batch_first=True)

    def forward(self, x):
        return self.layer(x)[0][:, -1]


def get_inputs():
    return [torch.randn(N, T, D)]


def get_init_inputs():
    return [H]
