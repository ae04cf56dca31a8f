"""Atomics, block pointers, descriptors, printing, assertions."""
import triton
import triton.language as tl

from corpus import T, case, o

HOPPER = (90, 100)


@case(grid=(4,), x=T("i32", (256,), "ints", 0, 15), out=T("i32", (16,), "ints"), f=o("f32", 16))
@triton.jit
def atomic_adds(x, out, f):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    v = tl.load(x + i)
    tl.atomic_add(out + v, 1)
    tl.atomic_add(f + v, 0.5, sem="relaxed")


@case(grid=(2,), x=T("i32", (128,), "ints"), out=T("i32", (5,), "ints", 1, 100))
@triton.jit
def atomic_kinds(x, out):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    v = tl.load(x + i)
    tl.atomic_max(out, tl.max(v, 0))
    tl.atomic_min(out + 1, tl.min(v, 0), sem="release", scope="cta")
    tl.atomic_and(out + 2, 0x55, scope="sys")
    tl.atomic_or(out + 3, 0x101)
    tl.atomic_xor(out + 4, 0x3, sem="acquire")


@case(x=T("f32", (64,)), out=o("f32", 2), u=T("u32", (2,), "ints", 1, 100))
@triton.jit
def atomic_floats(x, out, u):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    tl.atomic_max(out + tl.zeros_like(i), v)
    tl.atomic_min(out + 1 + tl.zeros_like(i), v, mask=i < 32)
    tl.atomic_max(u, tl.full((), 50, tl.uint32))
    tl.atomic_min(u + 1, tl.full((), 50, tl.uint32))


@case(out=T("i32", (4,), "ints"), old=o("i32", 4), cell=T("i64", (1,), "zeros"), was=o("i64", 2))
@triton.jit
def exchanges(out, old, cell, was):
    tl.store(old, tl.atomic_xchg(out, 7))
    tl.store(old + 1, tl.atomic_cas(out + 1, tl.load(out + 1), 9))
    tl.store(old + 2, tl.atomic_cas(out + 2, 1000, 9, sem="acq_rel", scope="gpu"))
    zero = tl.full((), 0, tl.int64)
    tl.store(was, tl.atomic_cas(cell, zero, zero + 5))
    tl.store(was + 1, tl.atomic_cas(cell, zero, zero + 6))


@case(grid=(2,), x=T("f32", (60, 50)), out=o("f32", 64, 64), M=60, N=50)
@triton.jit
def block_pointers(x, out, M, N):
    p = tl.make_block_ptr(x, (M, N), (N, 1), (tl.program_id(0) * 32, 0), (32, 32), (1, 0))
    q = tl.make_block_ptr(out, (64, 64), (64, 1), (tl.program_id(0) * 32, 0), (32, 32), (1, 0))
    for _ in range(2):
        t = tl.load(p, boundary_check=(0, 1), padding_option="zero")
        tl.store(q, t * 2, boundary_check=(0,))
        p = tl.advance(p, (0, 32))
        q = tl.advance(q, (0, 32))


@case(grid=(2,), x=T("f16", (64, 64)), out=o("f16", 64, 64))
@triton.jit
def block_pointers_plain(x, out):
    p = tl.make_block_ptr(x, (64, 64), (64, 1), (tl.program_id(0) * 32, 0), (32, 64), (1, 0))
    q = tl.make_block_ptr(out, (64, 64), (1, 64), (0, tl.program_id(0) * 32), (64, 32), (0, 1))
    tl.store(q, tl.trans(tl.load(p)))


@case(grid=(2,), x=T("f32", (60, 48)), out=o("f32", 60, 48), M=60, N=48, B=32)
@triton.jit
def descriptors(x, out, M, N, B: tl.constexpr):
    a = tl.make_tensor_descriptor(x, [M, N], [N, 1], [B, B])
    b = tl.make_tensor_descriptor(out, [M, N], [N, 1], [B, B])
    row = tl.program_id(0) * B
    for column in range(0, N, B):
        b.store([row, column], a.load([row, column]) + 1)


@case(x=T("f16", (64, 64)), out=o("f16", 64, 64), targets=HOPPER)
@triton.jit
def descriptor_padding(x, out):
    a = tl.make_tensor_descriptor(x, [60, 64], [64, 1], [64, 64], padding_option="nan")
    v = a.load([0, 0])
    i = tl.arange(0, 64)
    tl.store(out + i[:, None] * 64 + i[None, :], tl.where(v != v, 0.0, v))


def descriptor_reductions_reference(t):
    t["out"] += t["x"] * 2
    t["big"][:] = (t["big"].clamp(5, 50) & 0x7F) | 1


@case(grid=(2,), x=T("f32", (32, 32)), out=o("f32", 32, 32), big=T("i32", (16, 32), "ints"), targets=HOPPER, ulp=1,
      reference=descriptor_reductions_reference)
@triton.jit
def descriptor_reductions(x, out, big):
    a = tl.make_tensor_descriptor(x, [32, 32], [32, 1], [32, 32])
    b = tl.make_tensor_descriptor(out, [32, 32], [32, 1], [32, 32])
    b.atomic_add([0, 0], a.load([0, 0]))
    c = tl.make_tensor_descriptor(big, [16, 32], [32, 1], [16, 32])
    c.atomic_max([0, 0], tl.full((16, 32), 5, tl.int32))
    c.atomic_min([0, 0], tl.full((16, 32), 50, tl.int32))
    c.atomic_and([0, 0], tl.full((16, 32), 0x7F, tl.int32))
    c.atomic_or([0, 0], tl.full((16, 32), 1, tl.int32))


@case(x=T("f32", (64, 32)), rows=T("i32", (8,), "ints", 0, 63), out=o("f32", 8, 32), back=o("f32", 64, 32), targets=(100,))
@triton.jit
def descriptor_rows(x, rows, out, back):
    a = tl.make_tensor_descriptor(x, [64, 32], [32, 1], [1, 32])
    b = tl.make_tensor_descriptor(back, [64, 32], [32, 1], [1, 32])
    r = tl.load(rows + tl.arange(0, 8))
    g = a.gather(r, 0)
    b.scatter(g, r, 0)
    tl.store(out + tl.arange(0, 8)[:, None] * 32 + tl.arange(0, 32)[None, :], g)


@case(x=T("f32", (4, 16, 16)), out=o("f32", 16, 16), targets=HOPPER)
@triton.jit
def descriptor_leading_ones(x, out):
    a = tl.make_tensor_descriptor(x, [4, 16, 16], [256, 16, 1], [1, 16, 16])
    v = tl.reshape(a.load([2, 0, 0]), (16, 16))
    i = tl.arange(0, 16)
    tl.store(out + i[:, None] * 16 + i[None, :], v)


@case(x=T("i32", (64,), "ints"), out=o("i32", 64))
@triton.jit
def diagnostics(x, out):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    tl.device_print("value", v, i)
    tl.device_print("hexadecimal ", tl.program_id(0), hex=True)
    tl.device_print("nothing")
    tl.device_assert(v < 1000, "too \"large\": 100%\n")
    tl.static_assert(True)
    tl.store(out + i, v)


@case(x=T("f32", (64,)), out=o("f32", 64), compare=False)
@triton.jit
def pointer_integers(x, out):
    i = tl.arange(0, 64)
    at = (x + i).to(tl.int64)
    p = at.to(tl.pointer_type(tl.float32), bitcast=False)
    q = (x + i).to(tl.pointer_type(tl.int32), bitcast=True)
    tl.store(out + i, tl.load(p) + tl.load(q).to(tl.float32))


@case(x=T("f32", (64,)), out=o("f32", 64))
@triton.jit
def volatile(x, out):
    i = tl.arange(0, 64)
    tl.store(out + i, tl.load(x + i, volatile=True))


@case(grid=(4,), x=T("f32", (256,)), lock=o("i32", 1), out=o("f32", 1), absolute=1e-4)
@triton.jit
def locks(x, lock, out):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    s = tl.sum(tl.load(x + i), 0)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(out, tl.load(out) + s)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)
