"""Operations that move elements about."""
import triton
import triton.language as tl

from corpus import T, case, o


@case(x=T("f32", (32, 64)), out=o("f32", 64, 32), M=32, N=64)
@triton.jit
def transpose(x, out, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    t = tl.load(x + m[:, None] * N + n[None, :])
    tl.store(out + n[:, None] * M + m[None, :], tl.trans(t))


@case(x=T("i32", (4, 8, 16), "range"), out=o("i32", 16, 4, 8), flat=o("i32", 512))
@triton.jit
def permutations(x, out, flat):
    i = tl.arange(0, 512)
    t = tl.reshape(tl.load(x + i), (4, 8, 16))
    p = tl.permute(t, (2, 0, 1))
    tl.store(out + i, tl.ravel(p))
    tl.store(flat + i, tl.reshape(tl.permute(t, (1, 2, 0)), (512,)))


@case(x=T("f32", (16,)), y=T("f32", (8,)), out=o("f32", 8, 16), three=o("f32", 4, 8, 16))
@triton.jit
def broadcasts(x, y, out, three):
    a = tl.arange(0, 16)
    b = tl.arange(0, 8)
    c = tl.arange(0, 4)
    s = tl.load(y + b)[:, None] + tl.load(x + a)[None, :]
    tl.store(out + b[:, None] * 16 + a[None, :], s)
    t = tl.broadcast_to(tl.expand_dims(s, 0), (4, 8, 16))
    at = c[:, None, None] * 128 + b[None, :, None] * 16 + a[None, None, :]
    u, v = tl.broadcast(t, c[:, None, None].to(tl.float32))
    tl.store(three + at, u * v)


@case(x=T("f32", (64,)), y=T("f32", (64,)), out=o("f32", 128), a=o("f32", 64), b=o("f32", 64), s=o("f32", 128))
@triton.jit
def joins(x, y, out, a, b, s):
    i = tl.arange(0, 64)
    j = tl.arange(0, 128)
    p = tl.load(x + i)
    q = tl.load(y + i)
    joined = tl.join(p, q)
    left, right = tl.split(joined)
    tl.store(a + i, left)
    tl.store(b + i, right)
    tl.store(out + j, tl.interleave(p, q))
    tl.store(s + j, tl.reshape(tl.permute(joined, (1, 0)), (128,)))


@case(x=T("f32", (64,)), y=T("f32", (64,)), out=o("f32", 1), absolute=1e-4)
@triton.jit
def concatenation(x, y, out):
    i = tl.arange(0, 64)
    c = tl.cat(tl.load(x + i), tl.load(y + i), can_reorder=True)
    tl.store(out, tl.sum(c, 0))


@case(x=T("i32", (64,), "ints"), index=T("i32", (32,), "ints", 0, 63), out=o("i32", 32), rows=o("i32", 8, 8))
@triton.jit
def gathers(x, index, out, rows):
    i = tl.arange(0, 64)
    k = tl.arange(0, 32)
    v = tl.load(x + i)
    tl.store(out + k, tl.gather(v, tl.load(index + k), 0))
    t = tl.reshape(v, (8, 8))
    at = tl.reshape(i, (8, 8)) % 8
    tl.store(rows + tl.reshape(i, (8, 8)), tl.gather(t, 7 - at, 1))


@case(x=T("i32", (64,), "ints"), out=o("i32", 64), two=o("i32", 8, 8))
@triton.jit
def flips(x, out, two):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    tl.store(out + i, tl.flip(v, 0))
    tl.store(two + tl.reshape(i, (8, 8)), tl.flip(tl.reshape(v, (8, 8)), 1))


@case(x=T("f32", (64,)), out=o("f32", 64))
@triton.jit
def views(x, out):
    i = tl.arange(0, 64)
    v = tl.reshape(tl.load(x + i), (4, 16), can_reorder=False)
    w = v.reshape(64)
    u = tl.reshape(tl.expand_dims(w, 0), (64,), can_reorder=True)
    tl.store(out + i, u)


@case(x=T("i32", (64,), "ints", 0, 15), out=o("i32", 16), some=o("i32", 16), n=40)
@triton.jit
def histograms(x, out, some, n):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    b = tl.arange(0, 16)
    tl.store(out + b, tl.histogram(v, 16))
    tl.store(some + b, tl.histogram(v, 16, mask=i < n))


@case(grid=(2, 4), out=o("i32", 16))
@triton.jit
def swizzles(out):
    i, j = tl.swizzle2d(tl.program_id(0), tl.program_id(1), 2, 4, 2)
    linear = tl.program_id(0) * 4 + tl.program_id(1)
    tl.store(out + linear * 2, i)
    tl.store(out + linear * 2 + 1, j)


@case(x=T("f32", (1,)), out=o("f32", 64))
@triton.jit
def single(x, out):
    v = tl.load(x + tl.arange(0, 1))
    tl.store(out + tl.arange(0, 64), tl.broadcast_to(v, (64,)) + v.item())


@case(x=T("f32", (64,)), out=o("f32", 64))
@triton.jit
def hints(x, out):
    i = tl.arange(0, 64)
    at = tl.multiple_of(tl.max_contiguous(i * 1, 64), 64)
    same = tl.max_constancy(tl.load(x + at), 1)
    tl.assume(tl.program_id(0) >= 0)
    tl.debug_barrier()
    tl.store(out + at, same)
