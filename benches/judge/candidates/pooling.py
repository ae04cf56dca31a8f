"""Average of windows that do not overlap."""

from . import HEAD, Candidate

_POOL = HEAD + '''

@triton.jit
def average(x_ptr, y_ptr, height, width, out_height, out_width, K: tl.constexpr, BR: tl.constexpr, BC: tl.constexpr):
    plane = tl.program_id(2).to(tl.int64)
    r = tl.program_id(1) * BR + tl.arange(0, BR)
    c = tl.program_id(0) * BC + tl.arange(0, BC)
    inside = (r < out_height)[:, None] & (c < out_width)[None, :]
    first = x_ptr + plane * height * width + (r * K)[:, None] * width + (c * K)[None, :]
    total = tl.zeros((BR, BC), dtype=tl.float32)
    for window in range(K * K):
        total += tl.load(first + (window // K) * width + window % K, mask=inside, other=0.0)
    tl.store(y_ptr + (plane * out_height + r[:, None]) * out_width + c[None, :], total / (K * K), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, kernel_size):
        super().__init__()
        self.kernel_size = kernel_size

    def forward(self, x):
        batch, channels, height, width = x.shape
        out_height, out_width = height // self.kernel_size, width // self.kernel_size
        y = torch.empty((batch, channels, out_height, out_width), device=x.device, dtype=x.dtype)
        grid = (triton.cdiv(out_width, BLOCK_C), triton.cdiv(out_height, BLOCK_R), batch * channels)
        average[grid](x, y, height, width, out_height, out_width, K=self.kernel_size, BR=BLOCK_R, BC=BLOCK_C, num_warps=4)
        return y
'''


def _sized(block_r, block_c):
    return _POOL.replace("BLOCK_R", str(block_r)).replace("BLOCK_C", str(block_c))


def candidates():
    plain = _sized(1, 128)
    yield Candidate("L1-45", "plain", plain)
    yield Candidate("L1-45", "tuned", _sized(4, 64))
    yield Candidate("L1-45", "wrong", plain.replace("range(K * K)", "range(K * K - 1)"), "the last element of each window is left out")
    yield Candidate("L1-45", "other", plain.replace("(r * K)[:, None] * width", "(r * K + K)[:, None] * width"), "reads below the last row of the last plane")
