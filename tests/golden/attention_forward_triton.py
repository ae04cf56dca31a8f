# golden: G-attention_forward_triton  reason: uninitialised_output
# It is written for heads of 96 in blocks of 128 and masks columns from 96 on, while its test has heads of 128: a quarter of
# the output is never written. (attention_fwd_triton2 is the same kernel, judged on the columns that it writes.)
"""Attention with scales for quantised queries and keys, in base 2."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 4, 128, 128


class Model(nn.Module):
    def forward(self, q, k, v, q_scale, k_scale):
        scores = (q.float() * q_scale[..., None]) @ (k.float() * k_scale[..., None]).transpose(-1, -2)
        return (torch.softmax(scores * 0.6931471805599453, -1) @ v.float()).half()


def get_inputs():
    q, k, v = (torch.randn(BATCH, HEADS, LENGTH, DIM, dtype=torch.float16) for _ in range(3))
    return [q, k, v, torch.ones(BATCH, HEADS, LENGTH), torch.ones(BATCH, HEADS, LENGTH)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, q_scale, k_scale):
        return forward(q, k, v, q_scale, k_scale)
