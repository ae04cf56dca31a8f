# golden: G-dequantize_matmul  reason: host_compute
# The kernel only turns int8 weights into floats; the product is torch.mm.
"""Product with int8 weights that have a scale for each column."""
import torch
import torch.nn as nn


M, K, N = 64, 128, 256


class Model(nn.Module):
    def forward(self, a, b, b_scale):
        return a @ (b.float() * b_scale)


def get_inputs():
    return [torch.randn(M, K), torch.randint(-128, 127, (K, N), dtype=torch.int8), torch.rand(N)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, a, b, b_scale):
        return matmul_dequantize_int8(a, b, b_scale)
