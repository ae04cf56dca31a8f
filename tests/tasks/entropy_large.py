"""Mean entropy of softmax rows. Scaled down to be judged."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 6144
CLASSES = 8192


class Model(nn.Module):
    def forward(self, logits):
        p = F.softmax(logits, dim=1)
        return -(p * F.log_softmax(logits, dim=1)).sum(1).mean()


def get_inputs():
    return [torch.randn(ROWS, CLASSES) * 2]


def get_init_inputs():
    return []
