"""Binary cross entropy of the shares of a softmax."""
import torch
import torch.nn as nn
import torch.nn.functional as F




class Model(nn.Module):
    def forward(self, x, y):
        return F.binary_cross_entropy(torch.softmax(x, dim=1), y, reduction="none")


def get_inputs():
    return [torch.randn(512, 1024), torch.rand(512, 1024)]


def get_init_inputs():
    return []
