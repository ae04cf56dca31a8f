# exit 1: out_of_bounds uninitialised_read
import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 128}, num_warps=8)], key=["n"])
@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) * 2)  # <- out_of_bounds


@triton.autotune(configs=[triton.Config({"ALL": True}), triton.Config({"ALL": False})], key=["n"])
@triton.jit
def halves(x, n, ALL: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    if ALL:
        tl.store(x + i, 1.0)
    else:
        tl.store(x + i, 1.0, mask=i < BLOCK // 2)
        tl.debug_barrier()
        tl.store(x + i, tl.load(x + i) + 1)  # <- uninitialised_read


@triton.autotune(configs=[triton.Config({"BLOCK": 16}), triton.Config({"BLOCK": 32})], key=["n"], reset_to_zero=["out"])
@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < n, other=0.0)))


zeroed = {"pre_hook": lambda arguments: arguments["out"].zero_()}


@triton.autotune(configs=[triton.Config({"BLOCK": 32}, **zeroed), triton.Config({"BLOCK": 64}, **zeroed)], key=["n"])
@triton.jit
def columns(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out + i % 32, tl.load(x + i))


x = torch.rand(192, device="cuda")
out = torch.empty_like(x)
double[lambda meta: (triton.cdiv(192, meta["BLOCK"]),)](x, out, 192)
assert torch.equal(out, x * 2)  # the first configuration is right, and the one that is taken
halves[(1,)](torch.empty(32, device="cuda"), 32, BLOCK=32)
result = torch.zeros(1, device="cuda")
for _ in range(2):
    result.zero_()
    total[lambda meta: (triton.cdiv(192, meta["BLOCK"]),)](x, result, 192)
    assert torch.allclose(result[0], x.sum())
sums = torch.empty(32, device="cuda")
columns[lambda meta: (192 // meta["BLOCK"],)](x, sums, 192)
assert torch.allclose(sums, x.view(6, 32).sum(0))
assert double.best_config.kwargs["BLOCK"] == 64
