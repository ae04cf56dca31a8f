# golden: G-chunk_gla_fwd  reason: out_of_bounds
# Its test gives h one state [K, V] for each head, where the kernel reads one for each chunk: the last head's second one lies
# behind the tensor. (The repaired code reads one for each head: chunk_gla_fwd_repaired.)
"""The output of chunked gated linear attention: scores within chunks of 16 and the state before them."""
import torch
import torch.nn as nn


B, H, T, K, V, CHUNK = 2, 2, 128, 256, 64, 16


class Model(nn.Module):
    def forward(self, q, k, v, g, g_sums, h):
        q, k, v, g, g_sums = (t.unflatten(2, (-1, CHUNK)) for t in (q, k, v, g, g_sums))
        scores = (q[..., :, None, :] * k[..., None, :, :] * (g[..., :, None, :] - g[..., None, :, :]).exp()).sum(-1).tril()
        return ((q * g_sums.exp()) @ h[:, :, None] + scores @ v).flatten(2, 3)


def get_inputs():
    g = torch.randn(B, H, T, K)
    return [torch.randn(B, H, T, K), torch.randn(B, H, T, K), torch.randn(B, H, T, V), g, g.cumsum(-1), torch.randn(B, H, K, V)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, g, g_sums, h):
        scores = chunk_fwd_intra_gated_gk_fn(q, k, g, 1.0, 16)
        return chunk_fwd_o_gated_gk_fn(q, v, g_sums, scores, h, 16, 1.0)
