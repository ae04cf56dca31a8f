"""Cross entropy with label smoothing and weights of classes, for each sample."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('w', torch.linspace(0.5, 1.5, 300))

    def forward(self, x, y):
        return F.cross_entropy(x, y, weight=self.w, label_smoothing=0.1, reduction='none')


def get_inputs():
    return [torch.randn(512, 300), torch.randint(0, 300, (512,))]


def get_init_inputs():
    return []
