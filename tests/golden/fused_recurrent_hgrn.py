# golden: G-fused_recurrent_hgrn
"""A gated linear recurrence from an initial state: all states, and the last."""
import torch
import torch.nn as nn


B, H, T, D = 1, 2, 2, 2


class Model(nn.Module):
    def forward(self, x, g, initial_state):
        state, states = initial_state, []
        for t in range(T):
            state = g[:, :, t] * state + x[:, :, t]
            states.append(state)
        return torch.stack(states, 2), state


def get_inputs():
    return [torch.randn(B, H, T, D), torch.randn(B, H, T, D), torch.randn(B, H, D)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, g, initial_state):
        return fused_recurrent_hgrn(x, g, initial_state, output_final_state=True)
