# golden: G-int_scaled_matmul
"""int8 times int8, once as it is and once with a scale for each row, both as int32."""
import torch
import torch.nn as nn


M, K, N = 256, 128, 256


class Model(nn.Module):
    def forward(self, a, b, scales):
        product = a.float() @ b.float()
        return product.to(torch.int32), (product * scales).to(torch.int32)


def get_inputs():
    return [torch.randint(-128, 128, (M, K), dtype=torch.int8), torch.randint(-128, 128, (K, N), dtype=torch.int8),
            torch.rand(M, 1)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, a, b, scales):
        config = Config(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, GROUP_M=8)
        plain, scaled = (torch.empty((a.shape[0], b.shape[1]), dtype=torch.int32, device="cuda") for _ in range(2))
        return int_matmul_kernel(a, b, plain, config), int_scaled_matmul_kernel(a, b, scales, scaled, config)
