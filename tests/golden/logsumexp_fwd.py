# golden: G-logsumexp_fwd  reason: host_compute
# The kernel makes one value for each block of a row; torch.logsumexp joins them, also where there is one only.
"""Log-sum-exp of scaled rows."""
import torch
import torch.nn as nn


BATCH, LENGTH = 4, 64


class Model(nn.Module):
    def forward(self, x):
        return torch.logsumexp(x * 0.5, -1)


def get_inputs():
    return [torch.randn(BATCH, LENGTH)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return logsumexp_fwd(x, scale=0.5)
