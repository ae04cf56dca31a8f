# exit 1: uninitialised_read
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def from_host(source, target, M: tl.constexpr, N: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    tile = source.load([row, column])  # <- uninitialised_read
    target.store([row, column], tile + 1)


@triton.jit
def on_device(source, target, rows, columns, M: tl.constexpr, N: tl.constexpr):
    a = tl.make_tensor_descriptor(source, [rows, columns], [columns, 1], [M, N])
    b = tl.make_tensor_descriptor(target, [rows, columns], [columns, 1], [M, N])
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    b.store([row, column], a.load([row, column]) * 2)


triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
x, y, z = torch.rand(60, 40, device="cuda"), torch.empty(60, 40, device="cuda"), torch.empty(60, 40, device="cuda")
describe = lambda tensor: TensorDescriptor.from_tensor(tensor, [16, 16])
from_host[(4, 3)](describe(x), describe(y), M=16, N=16)
assert torch.equal(y, x + 1)
on_device[(4, 3)](y, z, 60, 40, M=16, N=16)
assert torch.equal(z, y * 2)
from_host[(4, 3)](describe(torch.empty(60, 40, device="cuda")), describe(z), M=16, N=16)
