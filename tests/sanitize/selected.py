# exit 1: out_of_bounds
# options: --only second --max-findings 1
# stdout: first
import os

import torch
import triton
import triton.language as tl


@triton.jit
def first(x):
    tl.store(x + tl.program_id(0) % 2, tl.program_id(0))


@triton.jit
def second(x):
    tl.store(x + 100, 1)  # <- out_of_bounds


x = torch.zeros(2, dtype=torch.int32, device="cuda")
first[(4,)](x)
assert x.sum() > 0
print("first", flush=True)
second[(1,)](x)
print("the script has ended")
