# task: grid_sample_zeros
# Places as CUDA computes them: in float32, with an error of the size of a row.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, g_ptr, out_ptr, n, C: tl.constexpr, H: tl.constexpr, W: tl.constexpr, BLOCK: tl.constexpr):
    p = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = p < n
    gx = tl.load(g_ptr + p * 2, mask=inside, other=0.0)
    gy = tl.load(g_ptr + p * 2 + 1, mask=inside, other=0.0)
    b, s = p // (H * W), p % (H * W)
    ix = ((gx + 1) * W - 1) * 0.5
    iy = ((gy + 1) * H - 1) * 0.5
    x0, y0 = tl.floor(ix), tl.floor(iy)
    fx, fy = ix - x0, iy - y0
    x0 = tl.minimum(tl.maximum(x0, -2.0), W + 1.0).to(tl.int32)
    y0 = tl.minimum(tl.maximum(y0, -2.0), H + 1.0).to(tl.int32)
    for c in range(C):
        plane = x_ptr + (b * C + c) * H * W
        acc = tl.zeros([BLOCK], tl.float32)
        for i in tl.static_range(2):
            for j in tl.static_range(2):
                xx, yy = x0 + j, y0 + i
                there = inside & (xx >= 0) & (xx < W) & (yy >= 0) & (yy < H)
                v = tl.load(plane + yy * W + xx, mask=there, other=0.0)
                acc += v * (fx if j == 1 else 1 - fx) * (fy if i == 1 else 1 - fy)
        tl.store(out_ptr + (b * C + c) * H * W + s, acc, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, g):
        B, C, H, W = x.shape
        out = torch.empty_like(x)
        kernel[(triton.cdiv(B * H * W, 256),)](x, g, out, B * H * W, C, H, W, BLOCK=256)
        return out
