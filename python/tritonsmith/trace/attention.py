"""Attention whose values are narrower or wider than its queries, in 16 bits.

PyTorch's fused attention on the CPU wants one width, and takes other calls apart into float32 steps. On CUDA it has a
fused operator for them, which rounds probabilities to the type of the values, as kernels do. So on the CPU the narrower
operands are padded with zeros, which changes no result, and the oracle knows the rounding."""

import torch
import torch.nn.functional as F

_NARROW = (torch.float16, torch.bfloat16)


def fused(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    width, of_values = query.shape[-1], value.shape[-1]
    if width == key.shape[-1] != of_values and all(t.is_cpu and t.dim() == 4 and t.dtype in _NARROW for t in (query, key, value)):
        scale = width**-0.5 if scale is None else scale
        query, key, value = (F.pad(t, (0, max(width, of_values) - t.shape[-1])) for t in (query, key, value))
    out = F.scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa)
    return out if out.shape[-1] == of_values else out[..., :of_values]
