"""Log-softmax over the last dimension of a batch of logits in bfloat16."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 6
LENGTH = 25
VOCABULARY = 1500


class Model(nn.Module):
    def forward(self, x):
        return F.log_softmax(x, dim=-1)


def get_inputs():
    return [4 * torch.randn(BATCH, LENGTH, VOCABULARY, dtype=torch.bfloat16)]


def get_init_inputs():
    return []
