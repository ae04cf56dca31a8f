"""Of each sample the mean score beside samples of other labels."""
import torch
import torch.nn as nn


N = 64


class Model(nn.Module):
    def forward(self, score, label):
        other = (label[:, None] != label[None, :]).float()
        return (score * other).sum(1) / other.sum(1).clamp(min=1.0)


def get_inputs():
    return [torch.randn(N, N), torch.randint(0, 10, (N,))]


def get_init_inputs():
    return []
