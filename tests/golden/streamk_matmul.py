# golden: G-streamk_matmul  reason: wrong_result
# Its test has float32 matrices, and full_tiles rounds each tile to float16 before it stores it as float32.
"""A product in float32."""
import torch
import torch.nn as nn


M, K, N = 512, 512, 512


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.randn(M, K), torch.randn(K, N)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, a, b):
        return matmul.forward(None, a, b, grid=8, BLK_M=32, BLK_N=32, BLK_K=32)
