# golden: G-kldiv_triton  reason: host_read
# It compares the gradient with one on the host, to leave out a product.
"""The gradient of the Kullback-Leibler divergence, in the place of the prediction."""
import torch
import torch.nn as nn


B, S = 4, 8


class Model(nn.Module):
    def forward(self, y_pred, y_true, grad):
        y_pred.copy_(-y_true)
        return y_pred * grad


def get_inputs():
    return [torch.rand(B, S), torch.rand(B, S), torch.rand(B, S)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, y_pred, y_true, grad):
        return kldiv_backward_triton(y_pred, y_true, grad, False)
