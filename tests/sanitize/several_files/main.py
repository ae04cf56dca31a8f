# exit 1: out_of_bounds
# stdout: ended
import os

import torch
from kernels import shift

x = torch.rand(16, device="cuda")
assert torch.equal(shift(x, x), x * 2)
shift(x, x[:8].clone())
shift(x, x[:8].clone())
print("ended", flush=True)
os._exit(0)
