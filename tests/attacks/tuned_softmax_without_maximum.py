# task: softmax  reason: autotune_config_wrong
# One configuration of four leaves out the maximum.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"CAREFUL": 1}, num_warps=4), triton.Config({"CAREFUL": 1}, num_warps=8), triton.Config({"CAREFUL": 0}, num_warps=8), triton.Config({"CAREFUL": 1}, num_warps=16)], key=["cols"])
@triton.jit
def soft(x_ptr, out_ptr, cols, CAREFUL: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("-inf"))
    if CAREFUL:
        x -= tl.max(x, axis=0)
    e = tl.exp(x)
    tl.store(out_ptr + row * cols + c, e / tl.sum(e, axis=0), mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        soft[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
