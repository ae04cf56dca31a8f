"""The means of what belongs to each of sixteen segments."""
import torch
import torch.nn as nn


N = 512
D = 32


class Model(nn.Module):
    def forward(self, x, segment):
        sums = torch.zeros(16, x.shape[1], device=x.device).index_add(0, segment, x)
        ones = torch.ones(segment.shape[0], device=x.device)
        counts = torch.zeros(16, device=x.device).index_add(0, segment, ones)
        return sums / counts.clamp(min=1).unsqueeze(1)


def get_inputs():
    return [torch.randn(N, D), torch.randint(0, 16, (N,))]


def get_init_inputs():
    return []
