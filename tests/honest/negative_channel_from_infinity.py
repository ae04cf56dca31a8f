# task: peak_of_a_channel
# Begins at minus infinity.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def channels(x_ptr, out_ptr, N, C, L, BLOCK: tl.constexpr):
    channel = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    most = tl.full((BLOCK,), -float("inf"), tl.float32)
    for sample in range(N):
        most = tl.maximum(most, tl.load(x_ptr + (sample * C + channel) * L + at, mask=at < L, other=-float("inf")))
    tl.store(out_ptr + channel, tl.max(most, 0))


class ModelNew(nn.Module):
    def forward(self, x):
        N, C, L = x.shape
        out = torch.empty(C, device=x.device)
        channels[(C,)](x, out, N, C, L, BLOCK=triton.next_power_of_2(L))
        return out
