# exit 0: clean
import torch
import triton
import triton.language as tl


@triton.jit
def add_groups(addresses, sizes, groups, out, BLOCK: tl.constexpr):
    for group in range(groups):
        size = tl.load(sizes + group)
        p = tl.load(addresses + group).to(tl.pointer_type(tl.float32))
        i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.atomic_add(out + i, tl.load(p + i, mask=i < size, other=0.0), mask=i < size)


@triton.jit
def by_address(address, BLOCK: tl.constexpr):
    p = address.to(tl.pointer_type(tl.float32))
    i = tl.arange(0, BLOCK)
    tl.store(p + i, i.to(tl.float32))


groups = [torch.rand(n, device="cuda") for n in (20, 33, 64)]
table = torch.tensor([g.data_ptr() for g in groups], device="cuda")
sizes = torch.tensor([g.numel() for g in groups], device="cuda")
out = torch.zeros(64, device="cuda")
add_groups[(4,)](table, sizes, 3, out, BLOCK=16)
expected = sum(torch.nn.functional.pad(g, (0, 64 - g.numel())) for g in groups)
assert torch.allclose(out, expected)
by_address[(1,)](out.data_ptr(), BLOCK=64)
assert out.tolist() == list(range(64))
