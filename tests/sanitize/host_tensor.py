# exit 4: clean; script_exit 1
# stderr: ValueError: Pointer argument x of kernel one cannot be accessed from Triton (a tensor on cpu)
import torch
import triton
import triton.language as tl


@triton.jit
def one(x):
    tl.store(x, 1)


one[(1,)](torch.zeros(1, dtype=torch.int32))
