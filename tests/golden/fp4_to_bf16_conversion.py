# golden: G-fp4_to_bf16_conversion  reason: compile_error
# The kernel calls libdevice's pow with (float32, int16), which no table of device functions has: Triton refuses it.
"""Packed 4-bit floats (e2m1), two in a byte, times a power of two for each 32."""
import torch
import torch.nn as nn


COUNT = 1024


class Model(nn.Module):
    def forward(self, x, scale):
        values = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6], device=x.device)
        pairs = torch.stack([x >> 4, x & 15], -1).flatten().long()
        return (values[pairs].view(-1, 32) * torch.exp2(scale.float() - 127)[:, None]).flatten().bfloat16()


def get_inputs():
    return [torch.randint(0, 256, (COUNT,), dtype=torch.uint8), torch.randint(64, 192, (COUNT // 16,), dtype=torch.uint8)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, scale):
        return triton_f4_to_scaled_bf16(x, scale, 32)
