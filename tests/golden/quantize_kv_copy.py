# golden: G-quantize_kv_copy  reason: race
# Its test draws the places: some row is named twice (1 - 10! / 10^10 = 99.96 %), and which of two programs writes last is chance.
"""Rows of keys as int8 with a scale for each eight features, written to their places in place."""
import torch
import torch.nn as nn


ROWS, H, D, GROUP = 10, 4, 16, 8


class Model(nn.Module):
    def forward(self, k, dest_loc, out, out_scale):
        groups = k.unflatten(-1, (-1, GROUP))
        scale = groups.abs().amax(-1) / 127.0
        out.index_copy_(0, dest_loc.long(), (groups / scale[..., None]).to(torch.int8).flatten(-2))
        out_scale.index_copy_(0, dest_loc.long(), scale)
        return out, out_scale


def get_inputs():
    return [torch.randn(ROWS, H, D), torch.randint(0, ROWS, (ROWS,), dtype=torch.int32),
            torch.zeros((ROWS, H, D), dtype=torch.int8), torch.zeros(ROWS, H, D // GROUP)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, k, dest_loc, out, out_scale):
        destindex_copy_quantize_kv(k, dest_loc, out, out_scale)
        return out, out_scale
