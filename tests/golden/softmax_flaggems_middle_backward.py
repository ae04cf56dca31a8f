# golden: G-softmax_flaggems
"""Softmax of the middle dimension, and the gradient of its input."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, dy):
        y = torch.softmax(x, 1)
        return y, y * (dy - (y * dy).sum(1, keepdim=True))


def get_inputs():
    return [torch.rand(2, 3, 4), torch.randn(2, 3, 4)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, dy):
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = softmax(x, dim=1)
            return y, *torch.autograd.grad(y, x, dy)
