# exit 4: clean; unchecked: interpret_timeout; launches 2
# options: --launch-seconds 1
import torch
import triton
import triton.language as tl


@triton.jit
def counts(x, n):
    total = 0
    for i in range(n):
        total += i
    tl.store(x, total)


x = torch.empty(1, dtype=torch.int32, device="cuda")
counts[(1,)](x, 1 << 29)
counts[(1,)](x, 5)
assert x.item() == 10
