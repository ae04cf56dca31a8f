# golden: G-streamk_matmul  reason: wrong_result
# Its test has float32 matrices; its products are TF32 and full_tiles rounds each tile to float16 before it stores it as float32.
# Without either of the two it is accepted, with one of them it is not.
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
