# golden: G-chunk_gate_recurrence  reason: host_compute
# The gradient of the decay is a partial sum for each block, added up by PyTorch.
"""The gradients of the states before each chunk."""
import torch
import torch.nn as nn


B, H, N, DK, DV = 2, 4, 64, 64, 64


class Model(nn.Module):
    def forward(self, kv, cross_decay, last_kv, do):
        states = [last_kv]
        for i in range(N - 1):
            states.append(states[-1] * cross_decay[:, :, i, None, None] + kv[:, :, i])
        dh, dkv, ddecay = do[:, :, N - 1], [torch.zeros_like(last_kv)], [torch.zeros_like(cross_decay[:, :, 0])]
        for i in range(N - 2, -1, -1):
            dkv.insert(0, dh)
            ddecay.insert(0, (dh * states[i]).sum((-1, -2)))
            dh = dh * cross_decay[:, :, i, None, None] + do[:, :, i]
        return torch.stack(dkv, 2), torch.stack(ddecay, 2), dh


def get_inputs():
    return [torch.randn(B, H, N, DK, DV), torch.randn(B, H, N), torch.randn(B, H, DK, DV), torch.randn(B, H, N, DK, DV)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, kv, cross_decay, last_kv, do):
        with torch.enable_grad():
            kv, cross_decay, last_kv = (t.detach().requires_grad_() for t in (kv, cross_decay, last_kv))
            return torch.autograd.grad(chunk_gate_recurrent(kv, cross_decay, last_kv), (kv, cross_decay, last_kv), do)
