# task: softmax  reason: no_triton_kernel
# Plain PyTorch. The word @triton.jit stands in this comment only.
import torch
import torch.nn as nn
import triton


class ModelNew(nn.Module):
    def forward(self, x):
        exponent = torch.exp(x - x.amax(dim=-1, keepdim=True))
        return exponent / exponent.sum(dim=-1, keepdim=True)
