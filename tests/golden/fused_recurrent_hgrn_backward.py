# golden: G-fused_recurrent_hgrn
# Its test sums the output: the gradient is one element, expanded, which the kernel reads as if it were a tensor. Here it is one.
"""The gradients of a gated linear recurrence."""
import torch
import torch.nn as nn


B, H, T, D = 1, 2, 2, 2


class Model(nn.Module):
    def forward(self, x, g, initial_state, do):
        states = [initial_state]
        for t in range(T):
            states.append(g[:, :, t] * states[-1] + x[:, :, t])
        dx, dg, dh = [], [], torch.zeros_like(initial_state)
        for t in range(T - 1, -1, -1):
            dh = dh + do[:, :, t]
            dx.insert(0, dh)
            dg.insert(0, dh * states[t])
            dh = dh * g[:, :, t]
        return torch.stack(dx, 2), torch.stack(dg, 2)


def get_inputs():
    return [torch.randn(B, H, T, D), torch.randn(B, H, T, D), torch.randn(B, H, D), torch.randn(B, H, T, D)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, g, initial_state, do):
        with torch.enable_grad():
            x, g = (t.detach().requires_grad_() for t in (x, g))
            o, _ = fused_recurrent_hgrn(x, g, initial_state)
            return torch.autograd.grad(o, (x, g), do)
