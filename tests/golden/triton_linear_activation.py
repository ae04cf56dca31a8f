# golden: G-triton_linear_activation repaired  reason: compile_error
# Its GELU calls ROCm's erf (tl.extra.hip.libdevice), which NVIDIA's Triton does not link: the file raises on its user's machine.
# (Without the import of triton.ops, which Triton 3.6 does not have.)
"""A linear layer with GELU, and what GELU saw."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS, IN, OUT = 64, 128, 128


class Model(nn.Module):
    def forward(self, x, weight, bias):
        before = F.linear(x, weight, bias)
        return F.gelu(before), before


def get_inputs():
    return [torch.randn(ROWS, IN, dtype=torch.float16), torch.randn(OUT, IN, dtype=torch.float16),
            torch.randn(OUT, dtype=torch.float16)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, weight, bias):
        before = torch.empty((x.shape[0], weight.shape[0]), dtype=x.dtype, device=x.device)
        return linear_layer(x, weight, bias, activation="gelu", act_inputs=before), before
