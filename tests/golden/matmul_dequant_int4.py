# golden: G-matmul_dequant_int4  reason: host_compute
# The kernel unpacks the weights; the product is torch.mm.
"""Product with 4-bit weights, eight in a word, with scales and zero points for groups of 128."""
import torch
import torch.nn as nn


M, K, N, GROUP = 32, 4096, 4096, 128


def nibbles(packed, dim):
    """Eight values for each word, along `dim`."""
    shifts = torch.arange(0, 32, 4, dtype=torch.int32, device=packed.device)
    shape = [1] * (packed.dim() + 1)
    shape[dim + 1] = 8
    return ((packed.unsqueeze(dim + 1) >> shifts.view(shape)) & 15).flatten(dim, dim + 1)


class Model(nn.Module):
    def forward(self, a, b, scale, zero):
        scales, zeros = (t.repeat_interleave(GROUP, 0) for t in (scale, nibbles(zero, 1)))
        return a @ ((nibbles(b, 0) - zeros) * scales).half()


def get_inputs():
    return [torch.randn((M, K), dtype=torch.float16),
            torch.randint(-(2 ** 31), 2 ** 31 - 1, (K // 8, N), dtype=torch.int32),
            torch.rand((K // GROUP, N), dtype=torch.float16),
            torch.randint(-(2 ** 31), 2 ** 31 - 1, (K // GROUP, N // 8), dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, a, b, scale, zero):
        return matmul_dequantize_int4_s1(a, b, scale, zero, 128)
