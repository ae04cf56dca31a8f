# golden: G-cross_entropy_ops
"""Cross entropy of each row with a share of the squared log-sum-exp, and that share."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, logits, labels):
        lse = torch.logsumexp(logits, -1)
        z_loss = 0.1 * lse * lse
        return lse - logits.gather(-1, labels[:, None]).squeeze(-1) + z_loss, z_loss


def get_inputs():
    return [torch.randn(4, 10), torch.randint(0, 10, (4,))]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, logits, labels):
        return cross_entropy_loss(logits, labels, lse_square_scale=0.1)
