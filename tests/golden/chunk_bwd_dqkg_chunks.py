# golden: G-chunk_bwd_dqkg  reason: wrong_result
# (With a state for each chunk; as its test gives them: chunk_bwd_dqkg.) Its products are TF32, also of float32 matrices: with
# allow_tf32=False it is accepted.
"""Gradients of q, k and the gates of chunked gated linear attention."""
import torch
import torch.nn as nn


B, H, T, K, V = 2, 4, 128, 64, 64
CHUNK, SCALE = 64, 0.1


class Model(nn.Module):
    def forward(self, do, q, k, v, g, h, dh):
        q, k, v, do, g = (t.unflatten(2, (-1, CHUNK)) for t in (q, k, v, do, g))
        h, dh = (t.unflatten(2, (-1, K)) for t in (h, dh))
        last = g[..., -1:]
        dq = do @ h.transpose(-1, -2) * g.exp()[..., None] * SCALE
        dk = v @ dh.transpose(-1, -2) * (last - g).exp()[..., None]
        d_last = (h * dh).sum((-1, -2)) * last.squeeze(-1).exp() + (dk * k).sum((-1, -2))
        ds = (do @ v.transpose(-1, -2) * SCALE * (g[..., :, None] - g[..., None, :]).exp()).tril()
        dq = dq + ds @ k
        dk = dk + ds.transpose(-1, -2) @ q
        dg = (q * dq - k * dk).sum(-1)
        dg = torch.cat([dg[..., :-1], dg[..., -1:] + d_last[..., None]], -1)
        return dq.flatten(2, 3), dk.flatten(2, 3), dg.flatten(2, 3)[None]


def get_inputs():
    return [torch.randn(B, H, T, V), torch.randn(B, H, T, K), torch.randn(B, H, T, K), torch.randn(B, H, T, V),
            torch.randn(B, H, T), torch.randn(B, H, T // CHUNK * K, V), torch.randn(B, H, T // CHUNK * K, V)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, do, q, k, v, g, h, dh):
        return chunk_bwd_dqkg_fn(do, q, k, v, g, h, dh, 0.1)
