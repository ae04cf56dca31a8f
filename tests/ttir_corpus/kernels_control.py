"""Branches, loops, calls."""
import triton
import triton.language as tl

from corpus import T, case, o


@case(grid=(4,), x=T("f32", (256,)), out=o("f32", 256), n=3)
@triton.jit
def early_return(x, out, n):
    pid = tl.program_id(0)
    if pid >= n:
        return
    i = pid * 64 + tl.arange(0, 64)
    tl.store(out + i, tl.load(x + i) * 2)


@case(grid=(4,), x=T("f32", (64,)), out=o("f32", 256), n=2)
@triton.jit
def returns_in_branches(x, out, n):
    pid = tl.program_id(0)
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    if pid == 0:
        tl.store(out + i, v)
        return
    elif pid < n:
        v = v * 3
    if n > 100:
        return
    tl.store(out + pid * 64 + i, v - pid)


@case(x=T("f32", (64,)), out=o("f32", 64), n=5, ulp=1)
@triton.jit
def loops(x, out, n):
    i = tl.arange(0, 64)
    acc = tl.zeros((64,), tl.float32)
    v = tl.load(x + i)
    for k in range(n):
        acc += v * k
    for k in range(n, 0, -2):
        acc -= k
    for k in range(1, n, 2):
        for j in tl.range(0, k):
            acc += j
    tl.store(out + i, acc)


@case(x=T("i32", (64,), "ints", 1, 60), out=o("i32", 64), n=40)
@triton.jit
def while_loops(x, out, n):
    i = tl.arange(0, 64)
    s = tl.load(x)
    steps = 0
    while s < n:
        s += steps + 1
        steps += 1
    v = tl.load(x + i)
    while tl.max(v, 0) > 3:
        v = v // 2
    tl.store(out + i, v + steps)


@case(x=T("i32", (8,), "ints", 0, 3), out=o("i32", 8))
@triton.jit
def branches(x, out):
    for k in range(8):
        v = tl.load(x + k)
        if v == 0:
            r = 10
        elif v == 1:
            r = 20 + k
        elif v == 2:
            r = 30
            if k > 4:
                r += 1
        else:
            r = k
        tl.store(out + k, r)


@case(x=T("f32", (64,)), out=o("f32", 64), n=6, ulp=1)
@triton.jit
def loop_options(x, out, n):
    i = tl.arange(0, 64)
    acc = tl.zeros((64,), tl.float32)
    for k in tl.range(0, n, 1, num_stages=3):
        acc += tl.load(x + i) * k
    for k in tl.range(0, n, 1, loop_unroll_factor=2):
        acc += k
    for k in tl.range(0, n, disallow_acc_multi_buffer=True, flatten=True):
        acc += 1
    for k in tl.static_range(3):
        acc += k
    tl.store(out + i, acc)


@triton.jit(noinline=True)
def helper(a, b):
    if b > 2:
        r = a * b
    else:
        r = a - 1.0
    return r, b + 1


@triton.jit(noinline=True)
def store_at(p, v):
    tl.store(p, v)


@case(x=T("f32", (8,)), out=o("f32", 8))
@triton.jit
def calls(x, out):
    count = 0
    for k in range(8):
        v, count = helper(tl.load(x + k), count)
        store_at(out + k, v + count)


@triton.jit
def inner(v, k):
    return tl.where(v > 0, v * k, -v)


@triton.jit
def outer(v, k):
    return inner(v, k) + inner(v, k + 1)


@case(x=T("f32", (64,)), out=o("f32", 64), k=3)
@triton.jit
def inlined(x, out, k):
    i = tl.arange(0, 64)
    tl.store(out + i, outer(tl.load(x + i), k))


@case(x=T("i32", (64,), "ints"), out=o("i32", 64), n=7)
@triton.jit
def conditions(x, out, n):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    s = tl.load(x)
    if s > 0 and n > 3:
        v += 1
    if s < 0 or n == 7:
        v += 10
    if not (n > 100):
        v += 100
    t = n if s > 5 else s
    tl.store(out + i, v + t)


@case(grid=(3,), x=T("f32", (3, 64)), out=o("f32", 3), tiles=3, absolute=1e-4)
@triton.jit
def persistent(x, out, tiles):
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        tl.store(out + tile, tl.sum(tl.load(x + tile * 64 + tl.arange(0, 64)), 0))


@case(x=T("f32", (64,)), out=o("f32", 64), FLAG=True)
@case(x=T("f32", (64,)), out=o("f32", 64), FLAG=False, variant="off")
@triton.jit
def constexprs(x, out, FLAG: tl.constexpr):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
    if FLAG:
        v = v * 2
    tl.store(out + i, v)


@case(x=T("f32", (64,)), out=o("f32", 64), limit=4, absolute=1e-4)
@triton.jit
def nested(x, out, limit):
    i = tl.arange(0, 64)
    acc = tl.load(x + i)
    k = 0
    while k < limit:
        for j in range(k):
            if j % 2 == 0:
                acc = acc + j
            else:
                t = 0
                while t < j:
                    acc = acc * 1.5
                    t += 1
        k += 1
    tl.store(out + i, acc)
