"""Reductions, scans, sorting."""
import triton
import triton.language as tl

from corpus import T, case, o


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def linear(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def running(mean, weight, other, count):
    total = weight + count
    share = tl.where(total == 0.0, 0.0, count / total)
    return mean + (other - mean) * share, total


@case(x=T("f32", (16, 64)), out=o("f32", 5 * 16), cols=o("f32", 64), all=o("f32", 1), absolute=1e-4)
@triton.jit
def sums(x, out, cols, all):
    r = tl.arange(0, 16)
    c = tl.arange(0, 64)
    t = tl.load(x + r[:, None] * 64 + c[None, :])
    tl.store(out + r, tl.sum(t, 1))
    tl.store(out + 16 + r, tl.max(t, 1))
    tl.store(out + 32 + r, tl.min(t, axis=1))
    tl.store(out + 48 + r, tl.sum(t * t, 1) / 64)
    tl.store(out + 64 + r, tl.reduce(t * 0.1 + 1, 1, multiply))
    tl.store(cols + c, tl.sum(t, axis=0))
    tl.store(all, tl.sum(t))


@case(x=T("i32", (16, 64), "ints"), out=o("i32", 9 * 16))
@triton.jit
def integer_reductions(x, out):
    r = tl.arange(0, 16)
    c = tl.arange(0, 64)
    t = tl.load(x + r[:, None] * 64 + c[None, :])
    tl.store(out + r, tl.sum(t, 1))
    tl.store(out + 16 + r, tl.max(t, 1))
    tl.store(out + 32 + r, tl.min(t, 1))
    tl.store(out + 48 + r, tl.xor_sum(t, 1))
    tl.store(out + 64 + r, tl.argmax(t, 1))
    tl.store(out + 80 + r, tl.argmin(t, 1))
    m, at = tl.max(t, 1, return_indices=True)
    tl.store(out + 96 + r, m)
    tl.store(out + 112 + r, at)
    tl.store(out + 128 + r, tl.reduce_or(t, 1))


@case(x=T("f32", (256,)), out=o("f32", 2), where=o("i32", 4))
@triton.jit
def extremes(x, out, where):
    i = tl.arange(0, 256)
    v = tl.load(x + i)
    m, at = tl.max(v, 0, return_indices=True)
    n, an = tl.min(v, 0, return_indices=True, return_indices_tie_break_left=False)
    tl.store(out, m)
    tl.store(out + 1, n)
    tl.store(where, at)
    tl.store(where + 1, an)
    tl.store(where + 2, tl.argmax(v, 0, tie_break_left=False))
    tl.store(where + 3, tl.argmin(v, 0))


@case(x=T("f16", (8, 64)), out=o("f32", 8), half=o("f16", 8), absolute=2e-2)
@triton.jit
def half_sums(x, out, half):
    r = tl.arange(0, 8)
    t = tl.load(x + r[:, None] * 64 + tl.arange(0, 64)[None, :])
    tl.store(out + r, tl.sum(t, 1, dtype=tl.float32))
    tl.store(half + r, tl.max(t, 1))


@case(x=T("f32", (64,)), w=T("f32", (64,), "uniform"), out=o("f32", 2), absolute=1e-5)
@triton.jit
def pairs(x, w, out):
    i = tl.arange(0, 64)
    mean, weight = tl.reduce((tl.load(x + i), tl.load(w + i)), 0, running)
    tl.store(out, mean)
    tl.store(out + 1, weight)


@case(x=T("f32", (8, 64), "uniform"), out=o("f32", 8, 64), product=o("f32", 8, 64), back=o("f32", 8, 64), absolute=1e-4)
@triton.jit
def scans(x, out, product, back):
    at = tl.arange(0, 8)[:, None] * 64 + tl.arange(0, 64)[None, :]
    t = tl.load(x + at)
    tl.store(out + at, tl.cumsum(t, 1))
    tl.store(product + at, tl.cumprod(t + 0.5, 1))
    tl.store(back + at, tl.cumsum(t, 0, reverse=True))


@case(x=T("i32", (128,), "ints"), out=o("i32", 128), most=o("i32", 128))
@triton.jit
def integer_scans(x, out, most):
    i = tl.arange(0, 128)
    v = tl.load(x + i)
    tl.store(out + i, tl.cumsum(v, 0))
    tl.store(most + i, tl.associative_scan(v, 0, maximum, reverse=True))


@triton.jit
def maximum(a, b):
    return tl.maximum(a, b)


@case(x=T("f32", (64,), "uniform"), y=T("f32", (64,)), out=o("f32", 128), absolute=1e-5)
@triton.jit
def recurrences(x, y, out):
    i = tl.arange(0, 64)
    a, b = tl.associative_scan((tl.load(x + i), tl.load(y + i)), 0, linear)
    tl.store(out + i, a)
    tl.store(out + 64 + i, b)


@case(x=T("f32", (64,)), out=o("f32", 64), down=o("f32", 64))
@triton.jit
def sorting(x, out, down):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    tl.store(out + i, tl.sort(v))
    tl.store(down + i, tl.sort(v, descending=True))


@case(x=T("i32", (4, 32), "ints"), out=o("i32", 4, 8))
@triton.jit
def top(x, out):
    r = tl.arange(0, 4)[:, None]
    t = tl.load(x + r * 32 + tl.arange(0, 32)[None, :])
    tl.store(out + r * 8 + tl.arange(0, 8)[None, :], tl.topk(t, 8))


@case(grid=(8,), x=T("f32", (8, 100)), out=o("f32", 8, 100), n=100, B=128, absolute=1e-6)
@triton.jit
def softmax(x, out, n, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * n + i, e / tl.sum(e, 0), mask=i < n)


@case(grid=(4,), x=T("f32", (4, 128)), w=T("f32", (128,)), b=T("f32", (128,)), out=o("f32", 4, 128), eps=1e-5, B=128, absolute=1e-5)
@triton.jit
def layer_norm(x, w, b, out, eps, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    v = tl.load(x + row * B + i)
    mean = tl.sum(v, 0) / B
    centred = v - mean
    var = tl.sum(centred * centred, 0) / B
    tl.store(out + row * B + i, centred * tl.rsqrt(var + eps) * tl.load(w + i) + tl.load(b + i))


@case(x=T("f32", (8, 32)), out=o("f32", 8, 32), absolute=1e-6)
@triton.jit
def library_softmax(x, out):
    at = tl.arange(0, 8)[:, None] * 32 + tl.arange(0, 32)[None, :]
    t = tl.load(x + at)
    tl.store(out + at, tl.softmax(t) + tl.sigmoid(t))


@case(x=T("f32", (2, 4, 8)), out=o("f32", 2, 8), keep=o("f32", 2, 4), absolute=1e-5)
@triton.jit
def three_dimensions(x, out, keep):
    a, b, c = tl.arange(0, 2), tl.arange(0, 4), tl.arange(0, 8)
    t = tl.load(x + a[:, None, None] * 32 + b[None, :, None] * 8 + c[None, None, :])
    tl.store(out + a[:, None] * 8 + c[None, :], tl.sum(t, 1))
    tl.store(keep + a[:, None] * 4 + b[None, :], tl.reshape(tl.max(t, 2, keep_dims=True), (2, 4)))
