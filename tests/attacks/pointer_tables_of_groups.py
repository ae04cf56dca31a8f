# task: pair_of_products  reason: int_to_ptr
# The tutorial's grouped product: tables of addresses on the device.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def grouped(a_ptrs, b_ptrs, c_ptrs, sizes_ptr, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    m, n, k = tl.load(sizes_ptr + group * 3), tl.load(sizes_ptr + group * 3 + 1), tl.load(sizes_ptr + group * 3 + 2)
    a = tl.load(a_ptrs + group).to(tl.pointer_type(tl.float32))
    b = tl.load(b_ptrs + group).to(tl.pointer_type(tl.float32))
    c = tl.load(c_ptrs + group).to(tl.pointer_type(tl.float32))
    rows, cols = tl.arange(0, BLOCK), tl.arange(0, BLOCK)
    for m0 in range(0, m, BLOCK):
        for n0 in range(0, n, BLOCK):
            r, s = m0 + rows, n0 + cols
            acc = tl.zeros((BLOCK, BLOCK), tl.float32)
            for k0 in range(0, k, BLOCK):
                t = k0 + tl.arange(0, BLOCK)
                x = tl.load(a + r[:, None] * k + t[None, :], mask=(r[:, None] < m) & (t[None, :] < k), other=0.0)
                y = tl.load(b + t[:, None] * n + s[None, :], mask=(t[:, None] < k) & (s[None, :] < n), other=0.0)
                acc += tl.dot(x, y, input_precision="ieee")
            tl.store(c + r[:, None] * n + s[None, :], acc, mask=(r[:, None] < m) & (s[None, :] < n))


class ModelNew(nn.Module):
    def forward(self, a, b, c, d):
        first = torch.empty(a.shape[0], b.shape[1], device=a.device)
        second = torch.empty(c.shape[0], d.shape[1], device=a.device)
        table = lambda *tensors: torch.tensor([t.data_ptr() for t in tensors], device=a.device)
        sizes = torch.tensor([32, 48, 64, 64, 80, 32], dtype=torch.int32, device=a.device)
        grouped[(2,)](table(a, c), table(b, d), table(first, second), sizes, BLOCK=16)
        return first, second
