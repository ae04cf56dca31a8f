import torch
import torch.nn as nn


class Model(nn.Module):
    """Reductions whose rows are few and long: several programs share each."""

    def forward(self, x, y):
        mean = x.mean(dim=0, keepdim=True)
        spread = ((x - mean) ** 2).mean(dim=0, keepdim=True)
        logits = torch.softmax(y, dim=1)
        return torch.abs(x).sum(), (x - mean) * torch.rsqrt(spread + 1e-5), logits, torch.amax(y, dim=1)


def get_inputs():
    return [torch.randn(16384, 48), torch.randn(2, 300000)]


def get_init_inputs():
    return []
