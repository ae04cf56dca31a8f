# exit 1: uninitialised_read uninitialised_read; warnings: uninitialised_output
import torch
import triton
import triton.language as tl


@triton.jit
def fill(x, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, 1.0, mask=i < n)


@triton.jit
def copy(x, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))  # <- uninitialised_read


@triton.jit
def copy_rows(x, out, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * stride + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))  # <- uninitialised_read


x, out = torch.empty(64, device="cuda"), torch.empty(64, device="cuda")
fill[(1,)](x, 48, BLOCK=64)
copy[(1,)](x, out, BLOCK=64)
print(torch.allclose(x, torch.ones_like(x)))  # <~ uninitialised_output
# What the host writes, in any way, is written.
x[48:] = 2
copy[(1,)](x, out, BLOCK=64)
for make in (lambda t: t.zero_(), lambda t: t.copy_(x), lambda t: torch.add(x, 1, out=t), lambda t: t.normal_(), lambda t: t.view(8, 8).T.fill_(1),
             lambda t: torch._foreach_zero_([t]), lambda t: t.index_fill_(0, torch.arange(64, device="cuda"), 3), lambda t: torch.nn.init.ones_(t)):
    made = x.new_empty(64)
    make(made)
    copy[(1,)](made, out, BLOCK=64)
host = torch.empty(64)
host.numpy()[:] = 5
copy[(1,)](host.cuda(), out, BLOCK=64)
assert out.tolist() == [5] * 64
# Rows with gaps: only what was written may be read.
wide = torch.empty(4, 32, device="cuda")
wide[:, :16] = 1
target = torch.zeros(4, 32, device="cuda")
copy_rows[(4,)](wide, target, 32, BLOCK=16)
assert target.sum() == 64
copy_rows[(4,)](wide, target, 32, BLOCK=32)
