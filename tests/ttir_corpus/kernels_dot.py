"""Matrix products and attention."""
import torch
import triton
import triton.language as tl

from corpus import T, case, o


def matmul_reference(t):
    t["c"][:] = (t["a"].double() @ t["b"].double()).to(t["c"].dtype)


def product(dtype, out, variant, **options):
    return case(grid=(2, 2), a=T(dtype, (64, 64)), b=T(dtype, (64, 64)), c=o(out, 64, 64), M=64, N=64, K=64, BM=32, BN=32, BK=32,
                variant=variant, reference=matmul_reference, **options)


@product("f32", "f32", "ieee", PRECISION="ieee", absolute=1e-4)
@product("f32", "f32", "tf32", PRECISION="tf32", absolute=0.1)
@product("f32", "f32", "tf32x3", PRECISION="tf32x3", absolute=1e-4)
@product("f16", "f32", "f16", PRECISION="tf32", absolute=1e-4)
@product("bf16", "f32", "bf16", PRECISION="tf32", absolute=1e-4)
@product("f16", "f16", "half", PRECISION="tf32", absolute=0.05)
@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, tl.cdiv(K, BK)):
        at = start * BK + k
        x = tl.load(a + m[:, None] * K + at[None, :], mask=at[None, :] < K, other=0.0)
        y = tl.load(b + at[:, None] * N + n[None, :], mask=at[:, None] < K, other=0.0)
        acc = tl.dot(x, y, acc, input_precision=PRECISION)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(c.dtype.element_ty))


@case(a=T("i8", (32, 32), "ints"), b=T("i8", (32, 32), "ints"), c=o("i32", 32, 32))
@triton.jit
def integer_dot(a, b, c):
    i = tl.arange(0, 32)
    at = i[:, None] * 32 + i[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))


def batched_reference(t):
    t["c"][:] = (t["a"].double() @ t["b"].double()).float()


@case(a=T("f16", (2, 32, 16)), b=T("f16", (2, 16, 32)), c=o("f32", 2, 32, 32), reference=batched_reference, absolute=1e-4)
@triton.jit
def batched_dot(a, b, c):
    z = tl.arange(0, 2)[:, None, None]
    m = tl.arange(0, 32)
    k = tl.arange(0, 16)
    x = tl.load(a + z * 512 + m[None, :, None] * 16 + k[None, None, :])
    y = tl.load(b + z * 512 + k[None, :, None] * 32 + m[None, None, :])
    tl.store(c + z * 1024 + m[None, :, None] * 32 + m[None, None, :], tl.dot(x, y))


def small_dot_reference(t):
    t["c"][:] = (t["a"].float().double() @ t["b"].float().double()).float()


@case(a=T("f8e5m2", (32, 32)), b=T("f8e5m2", (32, 32)), c=o("f32", 32, 32), reference=small_dot_reference, absolute=1e-4)
@triton.jit
def small_float_dot(a, b, c):
    i = tl.arange(0, 32)
    at = i[:, None] * 32 + i[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at), max_num_imprecise_acc=16))


def scaled_reference(t):
    a, b = t["a"].float().double(), t["b"].float().double()
    sa = torch.exp2(t["sa"].double() - 127).repeat_interleave(32, 1)
    sb = torch.exp2(t["sb"].double() - 127).repeat_interleave(32, 1)
    t["c"][:] = ((a * sa) @ (b * sb.T)).float()


@case(a=T("f8e5m2", (64, 64)), b=T("f8e5m2", (64, 64)), sa=T("u8", (64, 2), "ints", 120, 130), sb=T("u8", (64, 2), "ints", 120, 130),
      c=o("f32", 64, 64), reference=scaled_reference, absolute=1e-2)
@triton.jit
def scaled_dot(a, b, sa, sb, c):
    i = tl.arange(0, 64)
    s = tl.arange(0, 2)
    at = i[:, None] * 64 + i[None, :]
    scale = i[:, None] * 2 + s[None, :]
    r = tl.dot_scaled(tl.load(a + at), tl.load(sa + scale), "e5m2", tl.load(b + at), tl.load(sb + scale), "e5m2")
    tl.store(c + at, r)


E2M1 = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], dtype=torch.float64)


def unpacked(t, dim):
    """Two e2m1 numbers in each byte along a dimension, the low one first."""
    return torch.stack([E2M1[(t & 15).long()], E2M1[(t >> 4).long()]], dim + 1).flatten(dim, dim + 1)


def packed_dot_reference(t):
    scale = torch.exp2(t["sa"].double() - 127).repeat_interleave(32, 1)
    t["c"][:] = ((unpacked(t["a"], 1) * scale) @ t["b"].double()).float()


@case(a=T("u8", (64, 32), "ints", 0, 255), b=T("bf16", (64, 64)), sa=T("u8", (64, 2), "ints", 126, 128), c=o("f32", 64, 64),
      reference=packed_dot_reference, absolute=1e-3)
@triton.jit
def packed_dot(a, b, sa, c):
    i = tl.arange(0, 64)
    h = tl.arange(0, 32)
    s = tl.arange(0, 2)
    x = tl.load(a + i[:, None] * 32 + h[None, :])
    y = tl.load(b + i[:, None] * 64 + i[None, :])
    scale = tl.load(sa + i[:, None] * 2 + s[None, :])
    acc = tl.zeros((64, 64), tl.float32)
    tl.store(c + i[:, None] * 64 + i[None, :], tl.dot_scaled(x, scale, "e2m1", y, None, "bf16", acc))


def packed_sides_reference(t):
    sa = torch.exp2(t["sa"].double() - 127).repeat_interleave(32, 1)
    sb = torch.exp2(t["sb"].double() - 127).repeat_interleave(32, 1)
    t["c"][:] = ((unpacked(t["a"], 0) * sa) @ (unpacked(t["b"], 1) * sb.T)).float()


@case(a=T("u8", (32, 64), "ints", 0, 255), b=T("u8", (64, 16), "ints", 0, 255), sa=T("u8", (64, 2), "ints", 120, 130),
      sb=T("u8", (32, 2), "ints", 120, 130), c=o("f32", 64, 32), reference=packed_sides_reference, absolute=1e-2, targets=(90, 100))
@triton.jit
def packed_sides_dot(a, b, sa, sb, c):
    i = tl.arange(0, 64)
    h = tl.arange(0, 32)
    q = tl.arange(0, 16)
    s = tl.arange(0, 2)
    x = tl.load(a + h[:, None] * 64 + i[None, :])
    y = tl.load(b + i[:, None] * 16 + q[None, :])
    r = tl.dot_scaled(x, tl.load(sa + i[:, None] * 2 + s[None, :]), "e2m1", y, tl.load(sb + h[:, None] * 2 + s[None, :]), "e2m1",
                      lhs_k_pack=False, rhs_k_pack=False)
    tl.store(c + i[:, None] * 32 + h[None, :], r)


def attention_reference(t):
    q, k, v = (t[n].double() for n in "qkv")
    t["out"][:] = (torch.softmax(q @ k.T * t["scale"], 1) @ v).float()


@case(grid=(2,), q=T("f32", (64, 32)), k=T("f32", (64, 32)), v=T("f32", (64, 32)), out=o("f32", 64, 32), scale=0.17677669, N=64, D=32, B=32,
      reference=attention_reference, absolute=1e-4)
@triton.jit
def attention(q, k, v, out, scale, N, D: tl.constexpr, B: tl.constexpr):
    rows = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.arange(0, D)
    Q = tl.load(q + rows[:, None] * D + d[None, :])
    peak = tl.full((B,), -float("inf"), tl.float32)
    total = tl.zeros((B,), tl.float32)
    acc = tl.zeros((B, D), tl.float32)
    for start in range(0, N, B):
        cols = start + tl.arange(0, B)
        K = tl.load(k + cols[None, :] * D + d[:, None])
        S = tl.dot(Q, K, input_precision="ieee") * scale
        now = tl.maximum(peak, tl.max(S, 1))
        p = tl.exp(S - now[:, None])
        fade = tl.exp(peak - now)
        total = total * fade + tl.sum(p, 1)
        V = tl.load(v + cols[:, None] * D + d[None, :])
        acc = tl.dot(p, V, acc * fade[:, None], input_precision="ieee")
        peak = now
    tl.store(out + rows[:, None] * D + d[None, :], acc / total[:, None])


def grouped_reference(t):
    t["c"][:] = torch.relu(t["a"].double() @ t["b"].double() + t["bias"].double()).to(t["c"].dtype)


@case(grid=(4,), a=T("f16", (60, 40)), b=T("f16", (40, 50)), bias=T("f16", (50,)), c=o("f16", 60, 50), M=60, N=50, K=40, BM=32, BN=32, BK=16,
      GROUP=2, reference=grouped_reference, absolute=0.05)
@triton.jit
def grouped_matmul(a, b, bias, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    width = GROUP * tiles_n
    group = pid // width
    size = min(tiles_m - group * GROUP, GROUP)
    row = group * GROUP + (pid % width) % size
    column = (pid % width) // size
    m = row * BM + tl.arange(0, BM)
    n = column * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, tl.cdiv(K, BK)):
        at = start * BK + k
        x = tl.load(a + m[:, None] * K + at[None, :], mask=(m[:, None] < M) & (at[None, :] < K), other=0.0)
        y = tl.load(b + at[:, None] * N + n[None, :], mask=(at[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
    acc += tl.load(bias + n, mask=n < N, other=0.0)[None, :]
    acc = tl.maximum(acc, 0.0)
    tl.store(c + m[:, None] * N + n[None, :], acc.to(tl.float16), mask=(m[:, None] < M) & (n[None, :] < N))
