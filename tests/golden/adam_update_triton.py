# golden: G-adam_update_triton
"""A step of the optimiser Lion, in place."""
import torch
import torch.nn as nn


N = 1024
LR, WD, BETA1, BETA2 = 0.01, 0.01, 0.9, 0.999


class Model(nn.Module):
    def forward(self, p, grad, exp_avg):
        update = torch.lerp(grad, exp_avg, BETA1)
        p.mul_(1 - LR * WD).sub_(LR * torch.sign(update))
        exp_avg.copy_(torch.lerp(grad, exp_avg, BETA2))
        return p, exp_avg


def get_inputs():
    return [torch.randn(N), torch.randn(N), torch.zeros(N)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, p, grad, exp_avg):
        update_fn(p, grad, exp_avg, 0.01, 0.01, 0.9, 0.999)
        return p, exp_avg
