"""Sum and largest value along the middle dimension of three."""

from . import HEAD, Candidate

_KERNEL = HEAD + '''

@triton.jit
def reduce(x_ptr, y_ptr, rows, cols, BR: tl.constexpr, BC: tl.constexpr):
    batch = tl.program_id(1).to(tl.int64)
    c = tl.program_id(0) * BC + tl.arange(0, BC)
    acc = tl.full((BR, BC), START, dtype=tl.float32)
    for first in range(0, rows, BR):
        r = first + tl.arange(0, BR)
        inside = (r < rows)[:, None] & (c < cols)[None, :]
        v = tl.load(x_ptr + (batch * rows + r[:, None]) * cols + c[None, :], mask=inside, other=START)
        acc = COMBINE(acc, v)
    tl.store(y_ptr + batch * cols + c, FINISH(acc, axis=0), mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        assert dim == 1

    def forward(self, x):
        batch, rows, cols = x.shape
        y = torch.empty(SHAPE, device=x.device, dtype=x.dtype)
        reduce[(triton.cdiv(cols, BLOCK_C), batch)](x, y, rows, cols, BR=BLOCK_R, BC=BLOCK_C, num_warps=WARPS)
        return y
'''


def _module(shape, start, combine, finish, block_r, block_c, warps):
    text = _KERNEL.replace("SHAPE", shape).replace("START", start).replace("COMBINE", combine).replace("FINISH", finish)
    return text.replace("BLOCK_R", str(block_r)).replace("BLOCK_C", str(block_c)).replace("WARPS", str(warps))


_SUM = ("(batch, 1, cols)", "0.0", "tl.add", "tl.sum")
_MAX = ("(batch, cols)", 'float("-inf")', "tl.maximum", "tl.max")


def candidates():
    plain = _module(*_SUM, 1, 256, 4)
    yield Candidate("L1-47", "plain", plain)
    yield Candidate("L1-47", "tuned", _module(*_SUM, 16, 128, 8))
    yield Candidate("L1-47", "wrong", _module(*_SUM, 16, 128, 8).replace("range(0, rows, BR)", "range(BR, rows, BR)"), "the first rows are left out")
    yield Candidate("L1-47", "other", plain.replace("tl.store(y_ptr + batch * cols + c, ", "tl.atomic_add(y_ptr + batch * cols + c, "),
                    "adds to memory that nothing has written")
    plain = _module(*_MAX, 1, 256, 4)
    yield Candidate("L1-49", "plain", plain)
    yield Candidate("L1-49", "tuned", _module(*_MAX, 16, 128, 8))
    yield Candidate("L1-49", "wrong", plain.replace('float("-inf")', "0.0"), "begins at zero: right where a value is positive")
    yield Candidate("L1-49", "other", plain.replace("mask=inside, ", "mask=r[:, None] < rows, ").replace(', other=float("-inf")', ""),
                    "reads beyond the last row of the last batch")
