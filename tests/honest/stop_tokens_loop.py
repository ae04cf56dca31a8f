# task: stop_tokens
# One stop token after the other.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mark(token_ptr, stop_ptr, found_ptr, count_ptr, length, stops, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    token = tl.load(token_ptr + row * length + col, mask=col < length, other=-1)
    found = tl.zeros((BLOCK,), tl.int32)
    for i in range(stops):
        found = found | (token == tl.load(stop_ptr + i)).to(tl.int32)
    tl.store(found_ptr + row * length + col, found.to(tl.int1), mask=col < length)
    tl.store(count_ptr + row, tl.sum(tl.where(col < length, found, 0).to(tl.int64), axis=0))


class ModelNew(nn.Module):
    def forward(self, tokens, stops):
        found = torch.empty(tokens.shape, dtype=torch.bool, device=tokens.device)
        count = torch.empty(tokens.shape[0], dtype=torch.int64, device=tokens.device)
        mark[(tokens.shape[0],)](tokens, stops, found, count, tokens.shape[1], stops.numel(), BLOCK=256)
        return found, count
