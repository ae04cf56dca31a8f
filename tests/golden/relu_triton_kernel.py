# golden: G-relu_triton_kernel
"""ReLU of five numbers (the program's numbers as draws)."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)


def get_inputs():
    return [torch.randn(5) * 3]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return relu(x)
