# golden: G-bgmv_shrink_kernel  reason: wrong_result
# Its products are of float16 and so is their sum (tl.sum(tiled_a * tiled_b) of loaded float16): with 32 terms that is off by up to six
# times what a product in float32 may be, which is what the reference says. With operands widened it is accepted.
"""LoRA: each row times the matrix that its index names; rows of index -1 stay zero."""
import torch
import torch.nn as nn


BATCH, N, K = 2, 16, 32


class Model(nn.Module):
    def forward(self, inputs, weights, indices):
        picked = weights.squeeze(1)[indices.long().clamp(min=0)]
        out = (picked.float() @ inputs.float()[:, :, None]).squeeze(-1)
        return (out * (indices >= 0)[:, None]).half()


def get_inputs():
    return [torch.randn(BATCH, K, dtype=torch.float16), torch.randn(BATCH, 1, N, K, dtype=torch.float16),
            torch.tensor([-1, 1], dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, inputs, weights, indices):
        output = torch.zeros((inputs.shape[0], weights.shape[2]), dtype=inputs.dtype, device=inputs.device)
        _bgmv_shrink(inputs, weights, output, indices, 1.0)
        return output
