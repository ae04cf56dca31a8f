# golden: G-destindex_copy
# The kernel copies the first head only, whatever the number of heads.
"""Rows of the first head of two tensors written to the places that an index names, in place."""
import torch
import torch.nn as nn


B, N_CTX, H, D, D1 = 32, 1024, 12, 128, 64


class Model(nn.Module):
    def forward(self, kv_nope, kv_rope, dest_loc, o_nope, o_rope):
        o_nope[:, 0].index_copy_(0, dest_loc.long(), kv_nope[:, 0])
        o_rope[:, 0].index_copy_(0, dest_loc.long(), kv_rope[:, 0])
        return o_nope, o_rope


def get_inputs():
    rows = B * N_CTX
    return [torch.randn((rows, H, D), dtype=torch.float16), torch.randn((rows, 1, D1), dtype=torch.float16),
            torch.arange(0, rows, dtype=torch.int32),
            torch.randn((rows, H, D), dtype=torch.float16), torch.randn((rows, 1, D1), dtype=torch.float16)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, kv_nope, kv_rope, dest_loc, o_nope, o_rope):
        destindex_copy_kv(kv_nope, kv_rope, dest_loc, o_nope, o_rope)
        return o_nope, o_rope
