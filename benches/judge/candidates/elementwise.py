"""One value in, one value out: activations and a product with a number."""

from . import HEAD, Candidate

_PLAIN = HEAD + '''

@triton.jit
def pointwise(x_ptr, y_ptr, n, s, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, EXPRESSION, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, *init):
        super().__init__()

    def forward(self, x, s=1.0):
        x = x.contiguous()
        y = torch.empty_like(x)
        pointwise[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), s, BLOCK=1024)
        return y
'''
# Several blocks a program, and the tuner chooses among sizes.
_TUNED = HEAD + '''

@triton.autotune(configs=[triton.Config({"BLOCK": 1024}, num_warps=4), triton.Config({"BLOCK": 4096}, num_warps=8)], key=["n"])
@triton.jit
def pointwise(x_ptr, y_ptr, n, s, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * (4 * BLOCK)
    for part in range(4):
        i = start + part * BLOCK + tl.arange(0, BLOCK)
        v = tl.load(x_ptr + i, mask=i < n, other=0.0)
        tl.store(y_ptr + i, EXPRESSION, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self, *init):
        super().__init__()

    def forward(self, x, s=1.0):
        x = x.contiguous()
        y = torch.empty_like(x)
        n = x.numel()
        pointwise[lambda meta: (triton.cdiv(n, 4 * meta["BLOCK"]),)](x, y, n, s)
        return y
'''
# problem: (right, wrong, what is wrong with it)
_EXPRESSIONS = {
    "L1-19": ("tl.maximum(v, 0.0)", "tl.where(v > 0, v, 0.01 * v)", "leaky: not zero below zero"),
    "L1-21": ("tl.sigmoid(v)", "1.0 / (1.0 + tl.exp(-tl.abs(v)))", "folded: right above zero alone"),
    "L1-25": ("v * tl.sigmoid(v)", "tl.where(v > 0, v * tl.sigmoid(v), 0.0)", "zero below zero"),
    "L1-27": ("1.0507009873554805 * tl.where(v > 0, v, 1.6732632423543772 * (tl.exp(v) - 1))",
              "1.0507009873554805 * tl.where(v > 0, v, tl.exp(v) - 1)", "a factor is missing below zero"),
    "L1-5": ("v * s", "v * s.to(tl.float16).to(tl.float32)", "the number is rounded to half precision"),
}


def _other(problem, plain):
    """One that is at fault in another way than by its values."""
    return {
        "L1-19": (plain.replace("return y", "return torch.relu(x)"), "PyTorch does the work"),
        "L1-21": (plain.replace("tl.constexpr):", "tl.constexpr:"), "no Python"),
        "L1-25": (plain.replace("tl.sigmoid(v)", "tl.swish(v)"), "no such function"),
        "L1-27": (plain.replace("        pointwise[", "        return nn.functional.selu(x)\n        pointwise["), "the kernel is never launched"),
        "L1-5": (plain.replace("mask=i < n)\n", "mask=i <= n)\n").replace("1024),)](", "1024) + 1,)]("), "one element too many is written"),
    }[problem]


def candidates():
    for problem, (right, wrong, why) in _EXPRESSIONS.items():
        plain = _PLAIN.replace("EXPRESSION", right)
        yield Candidate(problem, "plain", plain)
        yield Candidate(problem, "tuned", _TUNED.replace("EXPRESSION", right))
        yield Candidate(problem, "wrong", _PLAIN.replace("EXPRESSION", wrong), why)
        yield Candidate(problem, "other", *_other(problem, plain))
