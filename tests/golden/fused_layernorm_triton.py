# golden: G-fused_layernorm_triton
"""LayerNorm in bfloat16 with its means and inverse deviations, as Inductor compiles it."""
import torch
import torch.nn as nn


S, D = 128, 4096


class Model(nn.Module):
    def forward(self, weight, bias, x):
        mean = x.float().mean(-1, keepdim=True)
        inverse = torch.rsqrt((x.float() - mean).square().mean(-1, keepdim=True) + 1e-5)
        return ((x.float() - mean) * inverse * weight.float() + bias.float()).bfloat16(), mean, inverse


def get_inputs():
    return [torch.randn(D, dtype=torch.bfloat16), torch.randn(D, dtype=torch.bfloat16), torch.randn(S, D, dtype=torch.bfloat16)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, weight, bias, x):
        y, _, mean, inverse = fused_native_layer_norm(weight, bias, x)
        return y, mean, inverse
