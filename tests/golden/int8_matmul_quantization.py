# golden: G-int8_matmul_quantization
"""Product of a float matrix, quantised by row on the way, and int8 weights with a scale for each column."""
import torch
import torch.nn as nn


M, K, N = 128, 64, 128


class Model(nn.Module):
    def forward(self, fpa, b, b_scale):
        scale = fpa.abs().amax(1, keepdim=True) / 127.0
        a = (fpa / scale).to(torch.int8)
        return ((a.float() @ b.float()) * scale.half().float() * b_scale).half()


def get_inputs():
    b = torch.randn(K, N)
    scale = b.abs().amax(0, keepdim=True) / 127.0
    return [torch.randn(M, K), (b / scale).to(torch.int8).t().contiguous().t(), scale.squeeze(0)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, fpa, b, b_scale):
        return matmul_quantize_int8(fpa, b, b_scale)
