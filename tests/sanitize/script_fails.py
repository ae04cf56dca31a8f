# exit 4: clean; script_exit 1
# stderr: ValueError: the kernel left 1
import torch
import triton
import triton.language as tl


@triton.jit
def one(x):
    tl.store(x, 1)


x = torch.zeros(1, dtype=torch.int32, device="cuda")
one[(1,)](x)
raise ValueError(f"the kernel left {x.item()}")
