# golden: G-int8_dequant_matmul repaired
# (Without the import of triton.ops, which Triton 3.6 does not have and which left ten of the 400 configurations: ten are taken here.)
"""int8 times int8, scaled back to floats by row and column."""
import torch
import torch.nn as nn


M, K, N = 128, 64, 128


class Model(nn.Module):
    def forward(self, a, b, state_x, state_w):
        return (state_w * (state_x[:, None] * ((a.float() @ b.float()) / (127.0 * 127.0)))).half()


def get_inputs():
    return [torch.randint(-128, 127, (M, K), dtype=torch.int8), torch.randint(-128, 127, (K, N), dtype=torch.int8),
            torch.rand(M), torch.rand(N)]


def get_init_inputs():
    return []


# adapter
_int8_matmul_rowwise_dequantize.configs = _int8_matmul_rowwise_dequantize.configs[::41]


class ModelNew(nn.Module):
    def forward(self, a, b, state_x, state_w):
        return int8_matmul_rowwise_dequantize(a, b, state_x, state_w, None)
