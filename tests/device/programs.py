"""Tasks so small that their full size is soon interpreted, and yet scaled down under SHRINK; kernels that are right, and kernels that are
wrong at full size only, in one of a thousand programs."""

SHRINK = "128KiB"

_TASK = """import torch
import torch.nn as nn

ROWS = {rows}
COLS = 64


class Model(nn.Module):
{body}


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
"""

TASKS = {
    "softmax": _TASK.format(rows=2048, body="""    def forward(self, x):
        return torch.softmax(x, dim=-1)"""),
    "in_place": _TASK.format(rows=2048, body="""    def forward(self, x):
        x.mul_(torch.sigmoid(x))
        return x"""),
    "linear": _TASK.format(rows=1024, body="""    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(32, COLS))

    def forward(self, x):
        return x @ self.weight.t()"""),
}

_HEAD = """import torch
import torch.nn as nn
import triton
import triton.language as tl


"""

_SOFTMAX = _HEAD + """{decorator}@triton.jit
def softmax(x_ptr, out_ptr, n, {parameter}):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + col, mask=col < n, other=float("-inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    y = e / tl.sum(e, axis=0)
    {wrong}
    tl.store(out_ptr + row * n + col, y, mask={mask})


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        softmax[(x.shape[0],)](x, out, x.shape[1]{arguments})
        return out{differs}
"""


def softmax(wrong="", mask="col < n", differs=""):
    return _SOFTMAX.format(decorator="", parameter="BLOCK: tl.constexpr", arguments=", BLOCK=64", wrong=wrong, mask=mask, differs=differs)


def softmax_autotuned(wrong="", blocks=((64, 4), (1024, 8)), differs=""):
    """Both configurations give the right answer but for `wrong`; that of the larger block does sixteen times the work."""
    configs = ", ".join(f'triton.Config({{"BLOCK": {block}}}, num_warps={warps})' for block, warps in blocks)
    return _SOFTMAX.format(decorator=f'@triton.autotune(configs=[{configs}], key=["n"])\n', parameter="BLOCK: tl.constexpr", arguments="",
                           wrong=wrong, mask="col < n", differs=differs)


def in_place(wrong=""):
    return _HEAD + f"""@triton.jit
def swish(x_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + col, mask=col < n, other=0.0)
    y = x * tl.sigmoid(x)
    {wrong}
    tl.store(x_ptr + row * n + col, y, mask=col < n)


class ModelNew(nn.Module):
    def forward(self, x):
        swish[(x.shape[0],)](x, x.shape[1], BLOCK=64)
        return x
"""


def linear(wrong=""):
    """Transposes its weight at construction."""
    return _HEAD + f"""@triton.jit
def product(x_ptr, w_ptr, out_ptr, K: tl.constexpr, N: tl.constexpr):
    row = tl.program_id(0)
    k, n = tl.arange(0, K), tl.arange(0, N)
    y = tl.sum(tl.load(x_ptr + row * K + k)[:, None] * tl.load(w_ptr + k[:, None] * N + n[None, :]), axis=0)
    {wrong}
    tl.store(out_ptr + row * N + n, y)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(32, 64))
        self.transposed = self.weight.detach().t().contiguous()

    def forward(self, x):
        out = torch.empty(x.shape[0], 32, device=x.device)
        product[(x.shape[0],)](x, self.transposed, out, 64, 32)
        return out
"""


# What the sample of full-size programs (24 of a launch) need not meet, with SEED; programs of this number are not there at the small size.
SEED = "3"
ROW = 777
DOUBLED = f"y = tl.where(row == {ROW}, y * 2, y)"

# name: task, candidate, (status, reason) on a device
PROGRAMS = {
    "softmax": ("softmax", softmax(), ("accepted", None)),
    "softmax_doubled": ("softmax", softmax(DOUBLED), ("rejected", "wrong_result")),
    "softmax_left_out": ("softmax", softmax(mask=f"(col < n) & (row != {ROW})"), ("rejected", "uninitialised_output")),
    "softmax_autotuned": ("softmax", softmax_autotuned(), ("accepted", None)),
    "softmax_autotuned_wrong": ("softmax", softmax_autotuned(f"y = tl.where((row == {ROW}) & (BLOCK > 64), y * 2, y)"),
                                ("rejected", "autotune_config_wrong")),
    # Asks which configuration was chosen: each makes a plan of its own.
    "softmax_asked": ("softmax", softmax_autotuned(blocks=((1024, 8), (64, 4)), differs=' if softmax.best_config.kwargs["BLOCK"] < 2048 else x'),
                      ("accepted", None)),
    "in_place": ("in_place", in_place(), ("accepted", None)),
    "in_place_doubled": ("in_place", in_place(DOUBLED), ("rejected", "wrong_result")),
    "in_place_left_alone": ("in_place", in_place(f"y = tl.where(row == {ROW}, x, y)"), ("rejected", "wrong_result")),
    "linear": ("linear", linear(), ("accepted", None)),
    "linear_doubled": ("linear", linear(DOUBLED), ("rejected", "wrong_result")),
}
