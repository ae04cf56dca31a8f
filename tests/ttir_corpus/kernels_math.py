"""Mathematical functions, libdevice, random numbers, inline assembly."""
import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice

from corpus import T, case, o


@case(x=T("f32", (64,)), p=T("f32", (64,), "positive"), out=o("f32", 12 * 64), ulp=4, absolute=1e-6)
@triton.jit
def functions(x, p, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(p + i)
    tl.store(out + i, tl.exp(a))
    tl.store(out + 64 + i, tl.exp2(a))
    tl.store(out + 128 + i, tl.log(b))
    tl.store(out + 192 + i, tl.log2(b))
    tl.store(out + 256 + i, tl.sin(a))
    tl.store(out + 320 + i, tl.cos(a))
    tl.store(out + 384 + i, tl.sqrt(b))
    tl.store(out + 448 + i, tl.rsqrt(b))
    tl.store(out + 512 + i, tl.erf(a))
    tl.store(out + 576 + i, tl.floor(a))
    tl.store(out + 640 + i, tl.ceil(a))
    tl.store(out + 704 + i, tl.sigmoid(a))


@case(x=T("f64", (64,)), p=T("f64", (64,), "positive"), out=o("f64", 6 * 64), ulp=4, absolute=1e-14)
@triton.jit
def double_functions(x, p, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(p + i)
    tl.store(out + i, tl.exp(a))
    tl.store(out + 64 + i, tl.log(b))
    tl.store(out + 128 + i, tl.sqrt(b))
    tl.store(out + 192 + i, tl.sin(a))
    tl.store(out + 256 + i, a / b)
    tl.store(out + 320 + i, tl.fma(a, b, b))


def library_reference(t):
    x, p = t["x"].double(), t["p"].double()
    results = [torch.tanh(x), torch.pow(p, x), torch.expm1(x), torch.log1p(p), torch.atan2(x, p), torch.fmod(x, p),
               torch.erfc(x), torch.acos(torch.tanh(x)), torch.sinh(x), torch.special.i0(x), torch.lgamma(p), torch.round(x),
               torch.trunc(x), torch.cbrt(p) if hasattr(torch, "cbrt") else p ** (1 / 3), torch.hypot(x, p), torch.log10(p),
               torch.tan(x), torch.copysign(p, x), torch.isnan(x).double(), torch.exp(x)]
    for k, result in enumerate(results):
        t["out"][64 * k:64 * (k + 1)] = result.float()


@case(x=T("f32", (64,)), p=T("f32", (64,), "positive"), out=o("f32", 20 * 64), reference=library_reference, ulp=8, absolute=1e-6)
@triton.jit
def library(x, p, out):
    i = tl.arange(0, 64)
    a = tl.load(x + i)
    b = tl.load(p + i)
    tl.store(out + i, libdevice.tanh(a))
    tl.store(out + 64 + i, libdevice.pow(b, a))
    tl.store(out + 128 + i, libdevice.expm1(a))
    tl.store(out + 192 + i, libdevice.log1p(b))
    tl.store(out + 256 + i, libdevice.atan2(a, b))
    tl.store(out + 320 + i, libdevice.fmod(a, b))
    tl.store(out + 384 + i, libdevice.erfc(a))
    tl.store(out + 448 + i, libdevice.acos(libdevice.tanh(a)))
    tl.store(out + 512 + i, libdevice.sinh(a))
    tl.store(out + 576 + i, libdevice.cyl_bessel_i0(a))
    tl.store(out + 640 + i, libdevice.lgamma(b))
    tl.store(out + 704 + i, libdevice.rint(a))
    tl.store(out + 768 + i, libdevice.trunc(a))
    tl.store(out + 832 + i, libdevice.cbrt(b))
    tl.store(out + 896 + i, libdevice.hypot(a, b))
    tl.store(out + 960 + i, libdevice.log10(b))
    tl.store(out + 1024 + i, libdevice.tan(a))
    tl.store(out + 1088 + i, libdevice.copysign(b, a))
    tl.store(out + 1152 + i, libdevice.isnan(a).to(tl.float32))
    tl.store(out + 1216 + i, libdevice.exp(a))


@case(out=o("f32", 6 * 64), seed=1234, ulp=4, absolute=1e-5)
@triton.jit
def random(out, seed):
    i = tl.arange(0, 64)
    tl.store(out + i, tl.rand(seed, i))
    tl.store(out + 64 + i, tl.randn(seed, i))
    a, b, c, d = tl.rand4x(seed, i + 7)
    tl.store(out + 128 + i, a)
    tl.store(out + 192 + i, b)
    tl.store(out + 256 + i, c)
    tl.store(out + 320 + i, d)


@case(out=o("i32", 5 * 64), seed=99)
@triton.jit
def random_integers(out, seed):
    i = tl.arange(0, 64)
    tl.store(out + i, tl.randint(seed, i))
    a, b, c, d = tl.randint4x(seed, i)
    tl.store(out + 64 + i, a)
    tl.store(out + 128 + i, b)
    tl.store(out + 192 + i, c)
    tl.store(out + 256 + i, d)


def assembly_reference(t):
    t["out"][:] = t["x"] + t["y"] * 3


@case(x=T("i32", (64,), "ints"), y=T("i32", (64,), "ints"), out=o("i32", 64), reference=assembly_reference)
@triton.jit
def assembly(x, y, out):
    i = tl.arange(0, 64)
    r = tl.inline_asm_elementwise("mad.lo.s32 $0, $2, 3, $1;", "=r,r,r", [tl.load(x + i), tl.load(y + i)], dtype=tl.int32,
                                  is_pure=True, pack=1)
    tl.store(out + i, r)


def two_results_reference(t):
    t["out"][:] = t["x"]


@case(x=T("f32", (64,)), out=o("f32", 64), reference=two_results_reference)
@triton.jit
def assembly_two_results(x, out):
    i = tl.arange(0, 64)
    a, b = tl.inline_asm_elementwise("mov.b32 $0, $2; mov.b32 $1, 0;", "=r,=r,r", [tl.load(x + i)],
                                     dtype=(tl.float32, tl.float32), is_pure=False, pack=1)
    tl.store(out + i, a + b)


def packed_reference(t):
    x = t["x"].view(torch.uint8).to(torch.int32)
    t["low"][:], t["high"][:] = (x & 15).to(torch.int8), (x >> 4).to(torch.int8)


@case(x=T("i8", (256,), "ints"), low=o("i8", 256), high=o("i8", 256), reference=packed_reference)
@triton.jit
def assembly_packed(x, low, high):
    i = tl.arange(0, 256)
    a, b = tl.inline_asm_elementwise("""{
        .reg .b32 up;                     // four elements at once
        and.b32 $0, $2, 0x0f0f0f0f;
        shr.b32 up, $2, 4;
        lop3.b32 $1, up, 0x0f0f0f0f, 0, 0xc0;
        }""", "=r,=r,r", [tl.load(x + i)], dtype=(tl.int8, tl.int8), is_pure=True, pack=4)
    tl.store(low + i, a)
    tl.store(high + i, b)


@triton.jit
def choose(a, b):
    if a > b:
        r = a * 2
    else:
        r = b - 1
    return r


def map_reference(t):
    x, y = t["x"], t["y"]
    t["out"][:] = torch.where(x > y, x * 2, y - 1)


@case(x=T("i32", (64,), "ints"), y=T("i32", (64,), "ints"), out=o("i32", 64), reference=map_reference)
@triton.jit
def mapped(x, y, out):
    i = tl.arange(0, 64)
    tl.store(out + i, tl.map_elementwise(choose, tl.load(x + i), tl.load(y + i)))
