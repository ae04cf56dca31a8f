# golden: G-iv_dependent_matmul  reason: wrong_result
# Its products of float32 matrices are TF32, which moves two elements in a hundred to the next float16. With input_precision="ieee" it is
# accepted.
"""A product of float32 matrices that is rounded to float16 and kept as float32."""
import torch
import torch.nn as nn


M, N, K = 256, 256, 256


class Model(nn.Module):
    def forward(self, a, b):
        return (a @ b).half().float()


def get_inputs():
    return [torch.rand(M, K), torch.rand(K, N)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    """As iv_dependent_matmul_wrapper, which draws its operands itself."""

    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        out = torch.empty((m, n), device="cuda")
        iv_dependent_matmul_kernel[triton.cdiv(m, 32) * triton.cdiv(n, 32),](
            a, b, out, m, n, k, a.stride(0), a.stride(1), b.stride(0), b.stride(1), out.stride(0), out.stride(1),
            BLOCK_SIZE_M=32, BLOCK_SIZE_N=32, BLOCK_SIZE_K=32, type="post_load_three_iters", num_stages=4)
        return out
