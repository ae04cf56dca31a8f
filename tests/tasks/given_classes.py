"""Means of classes that are equally large, one after the other."""
import torch
import torch.nn as nn


CLASSES = 16
LENGTH = 20


class Model(nn.Module):
    def forward(self, x, label):
        sums = torch.zeros(CLASSES, device=x.device).index_add(0, label, x)
        counts = torch.zeros(CLASSES, device=x.device).index_add(0, label, torch.ones_like(x))
        return sums / counts.clamp(min=1)


def get_inputs():
    return [torch.randn(CLASSES * LENGTH), torch.arange(CLASSES).repeat(LENGTH)]


def get_init_inputs():
    return []
