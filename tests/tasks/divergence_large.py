"""Kullback-Leibler divergence of two softmax distributions, the mean over a batch. Scaled down to be judged."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 4096
BINS = 4096


class Model(nn.Module):
    def forward(self, x, y):
        return F.kl_div(F.log_softmax(x, dim=1), F.softmax(y, dim=1), reduction="batchmean")


def get_inputs():
    return [torch.randn(BATCH, BINS), torch.randn(BATCH, BINS)]


def get_init_inputs():
    return []
