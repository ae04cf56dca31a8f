"""One program for each row: softmax, division by the norm, cross entropy."""

from . import HEAD, Candidate

_SOFTMAX = HEAD + '''

@triton.jit
def softmax(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * cols
    c = tl.arange(0, BLOCK)
    LARGEST
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        v = tl.load(x_ptr + row + start + c, mask=start + c < cols, other=float("-inf"))
        total += tl.exp(v - largest)
    scale = 1.0 / tl.sum(total, axis=0)
    for start in range(0, cols, BLOCK):
        v = tl.load(x_ptr + row + start + c, mask=start + c < cols, other=float("-inf"))
        tl.store(y_ptr + row + start + c, tl.exp(v - largest) * scale, mask=start + c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        softmax[(x.shape[0],)](x, y, x.shape[1], BLOCK=4096, num_warps=8)
        return y
'''
_LARGEST = '''most = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        most = tl.maximum(most, tl.load(x_ptr + row + start + c, mask=start + c < cols, other=float("-inf")))
    largest = tl.max(most, axis=0)'''
# Largest value and sum in one pass: the sum is scaled when the largest value grows.
_ONLINE = _SOFTMAX[:_SOFTMAX.index("    LARGEST")] + '''    most = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, cols, BLOCK):
        v = tl.load(x_ptr + row + start + c, mask=start + c < cols, other=float("-inf"))
        now = tl.maximum(most, v)
        total = total * tl.where(now == most, 1.0, tl.exp(most - now)) + tl.where(v == float("-inf"), 0.0, tl.exp(v - now))
        most = now
    largest = tl.max(most, axis=0)
    total = tl.where(most == float("-inf"), 0.0, total * tl.exp(most - largest))
''' + _SOFTMAX[_SOFTMAX.index("    scale ="):].replace("num_warps=8", "num_warps=16")

_NORM = HEAD + '''

@triton.jit
def divide_by_norm(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * cols
    c = tl.arange(0, BLOCK)
    squares = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, END, BLOCK):
        v = tl.load(x_ptr + row + start + c, mask=start + c < cols, other=0.0)
        squares += v * v
    norm = tl.sqrt(tl.sum(squares, axis=0))
    for start in range(0, cols, BLOCK):
        v = tl.load(x_ptr + row + start + c, mask=start + c < cols, other=0.0)
        tl.store(y_ptr + row + start + c, v / norm, mask=start + c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        divide_by_norm[(x.shape[0],)](x, y, x.shape[1], BLOCK=SIZE, num_warps=WARPS)
        return y
'''

_ENTROPY = HEAD + '''

@triton.jit
def row_losses(x_ptr, target_ptr, loss_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    start = x_ptr + row.to(tl.int64) * cols
    most = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for first in range(0, cols, BLOCK):
        most = tl.maximum(most, tl.load(start + first + c, mask=first + c < cols, other=float("-inf")))
    largest = tl.max(most, axis=0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, cols, BLOCK):
        total += tl.exp(tl.load(start + first + c, mask=first + c < cols, other=float("-inf")) - largest)
    chosen = tl.load(start + tl.load(target_ptr + row))
    tl.store(loss_ptr + row, tl.log(tl.sum(total, axis=0)) + largest - chosen)


@triton.jit
def mean(loss_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, n, BLOCK):
        total += tl.load(loss_ptr + first + i, mask=first + i < n, other=0.0)
    tl.store(out_ptr, tl.sum(total, axis=0) / DIVISOR)


class ModelNew(nn.Module):
    def forward(self, predictions, targets):
        rows, cols = predictions.shape
        losses = torch.empty((rows,), device=predictions.device, dtype=torch.float32)
        out = torch.empty((), device=predictions.device, dtype=torch.float32)
        row_losses[(rows,)](predictions, targets, losses, cols, BLOCK=SIZE, num_warps=WARPS)
        mean[(1,)](losses, out, rows, BLOCK=1024)
        return out
'''


def _sized(text, size, warps):
    return text.replace("SIZE", str(size)).replace("WARPS", str(warps))


def candidates():
    plain = _SOFTMAX.replace("LARGEST", _LARGEST)
    yield Candidate("L1-23", "plain", plain)
    yield Candidate("L1-23", "tuned", _ONLINE)
    yield Candidate("L1-23", "wrong", _SOFTMAX.replace("LARGEST", "largest = 0.0"), "overflows: the largest value is not taken off")
    yield Candidate("L1-23", "other", plain.replace("        return y", "        return torch.softmax(x, dim=1)"), "PyTorch does the work")

    right = _NORM.replace("END", "cols")
    yield Candidate("L1-39", "plain", _sized(right, 1024, 4))
    yield Candidate("L1-39", "tuned", _sized(right, 8192, 8))
    yield Candidate("L1-39", "wrong", _sized(_NORM.replace("END", "cols - BLOCK + 1"), 1024, 4), "the last, partial block is not summed")
    other = _sized(right, 1024, 4).replace("        divide_by_norm[", "        return y\n        divide_by_norm[")
    yield Candidate("L1-39", "other", other, "the kernel is never launched")

    right = _ENTROPY.replace("DIVISOR", "n")
    yield Candidate("L1-95", "plain", _sized(right, 1024, 4))
    yield Candidate("L1-95", "tuned", _sized(right, 4096, 8))
    yield Candidate("L1-95", "wrong", _sized(right, 1024, 4).replace("i, mask=first + i < n", "i, mask=first + i < n - 1"), "the last row's loss is left out")
    yield Candidate("L1-95", "other", _sized(right, 1024, 4).replace("        return out", "        return losses.mean()"), "PyTorch takes the mean")
