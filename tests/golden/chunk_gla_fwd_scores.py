# golden: G-chunk_gla_fwd  reason: kernel_without_effect
# With chunks as long as its blocks there are no pairs of different blocks: the first of its two launches returns at once.
"""The scores of gated linear attention within chunks of 16."""
import torch
import torch.nn as nn


B, H, T, K, CHUNK = 2, 2, 128, 256, 16


class Model(nn.Module):
    def forward(self, q, k, g):
        q, k, g = (t.unflatten(2, (-1, CHUNK)) for t in (q, k, g))
        scores = (q[..., :, None, :] * k[..., None, :, :] * (g[..., :, None, :] - g[..., None, :, :]).exp()).sum(-1)
        return scores.tril().flatten(2, 3)


def get_inputs():
    return [torch.randn(B, H, T, K), torch.randn(B, H, T, K), torch.randn(B, H, T, K)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, g):
        return chunk_fwd_intra_gated_gk_fn(q, k, g, 1.0, 16)
