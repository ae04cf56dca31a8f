# golden: G-mixed_sparse_attention  reason: out_of_bounds
# It reads 64 columns of a table of 8 for each block of rows, and its last rows lie at the end of the table. (It would be wrong
# besides: blocks that do not count add a one for each key to the sum of its softmax.)
"""Attention to a block of keys, causal, and to one key more for each block of rows."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM, BLOCK, SCALE = 2, 4, 128, 64, 64, 0.1


class Model(nn.Module):
    def forward(self, q, k, v, seqlens, block_count, block_offset, column_count, column_index):
        rows, keys = (torch.arange(LENGTH, device=q.device) for _ in range(2))
        first = block_offset[..., 0].repeat_interleave(BLOCK, -1)[..., None]
        column = column_index[..., 0].repeat_interleave(BLOCK, -1)[..., None]
        inside = seqlens[:, None, None, None]
        block = (keys >= first) & (keys < first + BLOCK) & (keys < inside) & (keys <= rows[:, None])
        times = block.float() + (keys == column).float()
        scores = (q.float() @ k.float().transpose(-1, -2) * SCALE).exp() * times
        out = scores @ v.float() / scores.sum(-1, keepdim=True)
        return (out * (rows[:, None] < inside)).half()


def get_inputs():
    blocks = LENGTH // BLOCK
    table = (BATCH, HEADS, blocks)
    return [*(torch.randn((BATCH, HEADS, LENGTH, DIM), dtype=torch.float16) for _ in range(3)),
            torch.randint(1, LENGTH, (BATCH,), dtype=torch.int32), torch.randint(1, blocks, table, dtype=torch.int32),
            torch.randint(0, LENGTH, (*table, 4), dtype=torch.int32), torch.randint(1, blocks, table, dtype=torch.int32),
            torch.randint(0, LENGTH, (*table, 8), dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, seqlens, block_count, block_offset, column_count, column_index):
        return _triton_mixed_sparse_attention(q, k, v, seqlens, block_count, block_offset, column_count, column_index, 0.1, 64, 64)
