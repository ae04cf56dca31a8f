# golden: G-bmm_chunk_bwd
"""Gradient of the chunked products of Mamba 2: in each chunk and group dout^T times a, and a residual."""
import torch
import torch.nn as nn


BATCH, LENGTH, GROUPS, K, CHUNK = 2, 128, 4, 64, 32


class Model(nn.Module):
    def forward(self, a, dout, residual):
        chunks = a.float().unflatten(1, (-1, CHUNK)).transpose(2, 3)  # [batch, chunk, group, row, k]
        db = dout.float().transpose(-1, -2) @ chunks
        return (db.transpose(2, 3).flatten(1, 2) + residual.float()).half()


def get_inputs():
    return [torch.randn(BATCH, LENGTH, GROUPS, K, dtype=torch.float16),
            torch.randn(BATCH, LENGTH // CHUNK, GROUPS, CHUNK, CHUNK, dtype=torch.float16),
            torch.randn(BATCH, LENGTH, GROUPS, K, dtype=torch.float16)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, a, dout, residual):
        return _bmm_chunk_bwd(a, dout, residual=residual)
