# golden: G-attn_fwd_causal  reason: wrong_result
# It hides later keys by adding -1e6 to their scores: where scores reach further (inputs of 100 to 2000), they are seen. With -inf it is
# accepted.
"""Causal attention over the first 96 of 128 features, all that the kernel looks at, with scales, in base 2."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 4, 128, 128


class Model(nn.Module):
    def forward(self, q, k, v, q_scale, k_scale):
        q, k, v = (t[..., :96].float() for t in (q, k, v))
        q_scale, k_scale = (s.repeat_interleave(LENGTH // s.shape[-1], -1)[..., None] for s in (q_scale, k_scale))
        scores = (q * q_scale) @ (k * k_scale).transpose(-1, -2)
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        scores = (scores * 0.6931471805599453).masked_fill(later, float("-inf"))
        return (torch.softmax(scores, -1) @ v).half()


def get_inputs():
    q, k, v = (torch.randn(BATCH, HEADS, LENGTH, DIM, dtype=torch.float16) for _ in range(3))
    return [q, k, v, torch.full((BATCH, HEADS, LENGTH // 128), 0.5), torch.full((BATCH, HEADS, LENGTH // 64), 0.5)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, q_scale, k_scale):
        return forward(q, k, v, q_scale, k_scale)[..., :96]
