"""Programs, ranges, loads, stores, arithmetic, comparisons, casts.

Triton's interpreter handles bf16 and small floats by ways of its own (no rounding to nearest, sums of bit patterns), so
those cases have torch as their reference.
"""
import torch
import triton
import triton.language as tl

from corpus import T, case, o


def add_reference(t):
    t["out"][:] = t["x"] + t["y"]


@case(grid=(4,), x=T("f32", (1000,)), y=T("f32", (1000,)), out=o("f32", 1000), n=1000, B=256)
@case(grid=(4,), x=T("f16", (1000,)), y=T("f16", (1000,)), out=o("f16", 1000), n=1000, B=256, variant="f16")
@case(grid=(4,), x=T("bf16", (1000,)), y=T("bf16", (1000,)), out=o("bf16", 1000), n=1000, B=256, variant="bf16",
      reference=add_reference)
@case(grid=(4,), x=T("f64", (1000,)), y=T("f64", (1000,)), out=o("f64", 1000), n=1000, B=256, variant="f64")
@case(grid=(4,), x=T("i32", (1000,), "ints"), y=T("i32", (1000,), "ints"), out=o("i32", 1000), n=1000, B=256, variant="i32")
@triton.jit
def add(x, y, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@case(grid=(2, 3, 2), out=o("i32", 96))
@triton.jit
def programs(out):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    linear = x + tl.num_programs(0) * (y + tl.num_programs(1) * z)
    at = out + linear * 8
    tl.store(at, x)
    tl.store(at + 1, y)
    tl.store(at + 2, z)
    tl.store(at + 3, tl.num_programs(0))
    tl.store(at + 4, tl.num_programs(1))
    tl.store(at + 5, tl.num_programs(2))


@case(x=T("i32", (64,), "ints", -1000, 1000), y=T("i32", (64,), "ints", 1, 50), out=o("i32", 16 * 64))
@triton.jit
def integers(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a - b)
    tl.store(out + 64 + i, a * b)
    tl.store(out + 128 + i, a // b)
    tl.store(out + 192 + i, a % b)
    tl.store(out + 256 + i, a & b)
    tl.store(out + 320 + i, a | b)
    tl.store(out + 384 + i, a ^ b)
    tl.store(out + 448 + i, a << (b & 7))
    tl.store(out + 512 + i, a >> (b & 7))
    tl.store(out + 576 + i, -a)
    tl.store(out + 640 + i, ~a)
    tl.store(out + 704 + i, tl.abs(a))
    tl.store(out + 768 + i, tl.maximum(a, b))
    tl.store(out + 832 + i, tl.minimum(a, b))
    tl.store(out + 896 + i, tl.cdiv(a, b))


@case(x=T("u32", (64,), "ints", 0, 2**32 - 1), y=T("u32", (64,), "ints", 1, 5000), out=o("u32", 12 * 64))
@triton.jit
def unsigned(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a // b)
    tl.store(out + 64 + i, a % b)
    tl.store(out + 128 + i, a >> 3)
    tl.store(out + 192 + i, tl.umulhi(a, b * 65537))
    tl.store(out + 256 + i, tl.maximum(a, b))
    tl.store(out + 320 + i, tl.minimum(a, b))
    tl.store(out + 384 + i, (a < b).to(tl.uint32))
    tl.store(out + 448 + i, (a >= b).to(tl.uint32))
    tl.store(out + 512 + i, (a.to(tl.uint64) * b).to(tl.uint32))
    tl.store(out + 576 + i, a.to(tl.uint16).to(tl.uint32))
    tl.store(out + 640 + i, a.to(tl.uint8).to(tl.uint32))
    tl.store(out + 704 + i, a * b + 3)


@case(x=T("i64", (64,), "ints", -2**40, 2**40), y=T("i64", (64,), "ints", 1, 2**20), out=o("i64", 8 * 64))
@triton.jit
def wide(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a * b)
    tl.store(out + 64 + i, a // b)
    tl.store(out + 128 + i, a % b)
    tl.store(out + 192 + i, a >> 5)
    tl.store(out + 256 + i, tl.abs(a))
    tl.store(out + 320 + i, a.to(tl.int32).to(tl.int64))
    tl.store(out + 384 + i, a.to(tl.int16).to(tl.int64))
    tl.store(out + 448 + i, a.to(tl.int8).to(tl.int64))


@case(x=T("f32", (64,)), y=T("f32", (64,), "positive"), out=o("f32", 12 * 64))
@triton.jit
def floats(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a - b)
    tl.store(out + 64 + i, a * b)
    tl.store(out + 128 + i, -a)
    tl.store(out + 192 + i, tl.abs(a))
    tl.store(out + 256 + i, tl.maximum(a, b))
    tl.store(out + 320 + i, tl.minimum(a, b))
    tl.store(out + 384 + i, tl.where(a > b, a, b))
    tl.store(out + 448 + i, tl.clamp(a, -0.5, 0.5))
    tl.store(out + 512 + i, tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(out + 576 + i, tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL))
    tl.store(out + 640 + i, tl.floor(a))
    tl.store(out + 704 + i, tl.ceil(a))


@case(x=T("f32", (64,)), y=T("f32", (64,), "positive"), out=o("f32", 6 * 64), ulp=2)
@triton.jit
def divisions(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, a / b)
    tl.store(out + 64 + i, tl.fdiv(a, b))
    tl.store(out + 128 + i, tl.div_rn(a, b))
    tl.store(out + 192 + i, tl.sqrt(b))
    tl.store(out + 256 + i, tl.sqrt_rn(b))
    tl.store(out + 320 + i, tl.fma(a, b, a))


@case(x=T("f32", (64,), "positive"), y=T("f32", (64,), "positive"), out=o("f32", 64), ulp=2)
@triton.jit
def remainder(x, y, out):
    i = tl.arange(0, 64)
    tl.store(out + i, tl.load(x + i) % tl.load(y + i))


@case(x=T("f32", (64,)), y=T("f32", (64,)), out=o("i32", 6 * 64))
@triton.jit
def compare(x, y, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(y + i)
    tl.store(out + i, (a < b).to(tl.int32))
    tl.store(out + 64 + i, (a <= b).to(tl.int32))
    tl.store(out + 128 + i, (a > b).to(tl.int32))
    tl.store(out + 192 + i, (a >= b).to(tl.int32))
    tl.store(out + 256 + i, (a == b).to(tl.int32))
    tl.store(out + 320 + i, (a != b).to(tl.int32) + ((a != a) | (b < 0)).to(tl.int32))


def casts_reference(t):
    a = t["x"] * 10
    for name in ("h", "b", "d", "i32", "i8"):
        t[name][:] = a.to(t[name].dtype)
    t["u8"][:] = a.abs().to(torch.uint8)


@case(x=T("f32", (64,)), h=o("f16", 64), b=o("bf16", 64), d=o("f64", 64), i32=o("i32", 64), i8=o("i8", 64), u8=o("u8", 64),
      reference=casts_reference)
@triton.jit
def casts(x, h, b, d, i32, i8, u8):
    i = tl.arange(0, 64)
    a = tl.load(x + i) * 10
    tl.store(h + i, a.to(tl.float16))
    tl.store(b + i, a.to(tl.bfloat16))
    tl.store(d + i, a.to(tl.float64))
    tl.store(i32 + i, a.to(tl.int32))
    tl.store(i8 + i, a.to(tl.int8))
    tl.store(u8 + i, tl.abs(a).to(tl.uint8))


def small_floats_reference(t):
    x = t["x"]
    t["out"][:64] = x.to(torch.float8_e4m3fn).float()
    t["out"][64:128] = x.to(torch.float8_e5m2).float()
    t["out"][128:] = x.half().to(torch.float8_e5m2).float()
    t["bits"][:] = x.to(torch.float8_e4m3fn).view(torch.uint8).int()


@case(x=T("f32", (64,)), out=o("f32", 3 * 64), bits=o("i32", 64), targets=(90, 100), reference=small_floats_reference)
@triton.jit
def small_floats(x, out, bits):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    tl.store(out + i, a.to(tl.float8e4nv).to(tl.float32))
    tl.store(out + 64 + i, a.to(tl.float8e5).to(tl.float32))
    tl.store(out + 128 + i, a.to(tl.float16).to(tl.float8e5).to(tl.float32))
    tl.store(bits + i, a.to(tl.float8e4nv).to(tl.uint8, bitcast=True).to(tl.int32))


@case(x=T("f32", (64,)), out=o("f16", 64), bits=o("i32", 64), back=o("f32", 64))
@triton.jit
def rounding(x, out, bits, back):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    tl.store(out + i, a.to(tl.float16, fp_downcast_rounding="rtz"))
    b = a.to(tl.int32, bitcast=True)
    tl.store(bits + i, b)
    tl.store(back + i, (b ^ 1).to(tl.float32, bitcast=True))


@case(x=T("i32", (64,), "ints"), out=o("f32", 64), half=o("f16", 64), truth=T("b1", (64,), "ints", 0, 1), chosen=o("i32", 64))
@triton.jit
def from_integers(x, out, half, truth, chosen):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    tl.store(out + i, a.to(tl.float32))
    tl.store(half + i, a.to(tl.float16))
    t = tl.load(truth + i)
    tl.store(chosen + i, tl.where(t, a, -a))
    tl.store(truth + i, a > 0)


@case(x=T("f32", (100,)), out=o("f32", 128), n=100)
@triton.jit
def masked(x, out, n):
    i = tl.arange(0, 128)
    m = i < n
    a = tl.load(x + i, mask=m, other=-1.5, cache_modifier=".cg")
    b = tl.load(x + i, mask=m, other=0.0, eviction_policy="evict_last")
    tl.store(out + i, a + b, cache_modifier=".cs")
    tl.store(out + i, a, mask=i < 10, eviction_policy="evict_first")


@case(x=T("f32", (64,)), out=o("f32", 64), alpha=0.75, k=3, big=2**40)
@triton.jit
def scalars(x, out, alpha, k, big):
    i = tl.arange(0, 64)
    s = tl.load(x + k)
    shift = (big >> 38).to(tl.int32)
    tl.store(out + i, tl.load(x + i) * alpha + s + shift)
    tl.debug_barrier()  # out + k is stored by another thread
    tl.store(out + k, s * k)


@case(out=o("f32", 8))
@triton.jit
def constants(out):
    tl.store(out, float("inf"))
    tl.store(out + 1, float("-inf"))
    tl.store(out + 2, 0.1)
    tl.store(out + 3, -0.0)
    tl.store(out + 4, 1e-40)
    tl.store(out + 5, 3.4028234663852886e38)
    tl.store(out + 6, 1)
    tl.store(out + 7, float("nan"))


def fills_reference(t):
    t["out"][:] = 0.3
    t["half"][:] = 1.5
    t["integers"][:] = -(2**40)


@case(out=o("f16", 64), half=o("bf16", 64), integers=o("i64", 64), B=64, reference=fills_reference)
@triton.jit
def fills(out, half, integers, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(out + i, tl.full((B,), 0.3, tl.float16))
    tl.store(half + i, tl.zeros((B,), tl.bfloat16) + 1.5)
    tl.store(integers + i, tl.full((B,), -(2**40), tl.int64) + tl.zeros_like(i))


@case(x=T("f32", (64,)), y=T("f32", (64,)), out=o("f32", 128))
@triton.jit
def tuples(x, y, out):
    i = tl.arange(0, 64)
    both = (tl.load(x + i), tl.load(y + i))
    first, second = both
    tl.store(out + i, first + second)
    tl.store(out + 64 + i, both[0] * both[1])
