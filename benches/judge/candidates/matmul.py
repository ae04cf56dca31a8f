"""Matrix products: square, with a transposed right side, of a tall and a flat matrix."""

from . import HEAD, Candidate

KERNEL = HEAD + '''

@triton.jit
def product(a_ptr, b_ptr, c_ptr, bias_ptr, M, N, K, a_row, a_col, b_row, b_col,
            BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    tiles = tl.cdiv(N, BN)
    m = (tl.program_id(0) // tiles) * BM + tl.arange(0, BM)
    n = (tl.program_id(0) % tiles) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    a_rows = a_ptr + m.to(tl.int64)[:, None] * a_row
    b_cols = b_ptr + n.to(tl.int64)[None, :] * b_col
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        inside = start + k < K
        a = tl.load(a_rows + (start + k)[None, :] * a_col, mask=(m < M)[:, None] & inside[None, :], other=0.0)
        b = tl.load(b_cols + (start + k).to(tl.int64)[:, None] * b_row, mask=inside[:, None] & (n < N)[None, :], other=0.0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
    EPILOGUE
    tl.store(c_ptr + m.to(tl.int64)[:, None] * N + n[None, :], acc, mask=(m < M)[:, None] & (n < N)[None, :])
'''
PLAIN_LAUNCH = 'BM=64, BN=64, BK=32, PRECISION="ieee", num_warps=4'
TUNED_LAUNCH = 'BM=128, BN=128, BK=32, PRECISION="tf32x3", num_warps=8, num_stages=3'
# The sum of L1-9 is one block long.
_LAUNCHES = {"L1-9": (PLAIN_LAUNCH.replace("BM=64", "BM=128"), 'BM=128, BN=256, BK=16, PRECISION="tf32x3", num_warps=8, num_stages=2')}

_MODULE = KERNEL.replace("    EPILOGUE\n", "") + '''

class ModelNew(nn.Module):
    def forward(self, A, B):
        PREPARE
        M, K = A.shape
        N = B.shape[1]
        c = torch.empty((M, N), device=A.device, dtype=A.dtype)
        grid = lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)
        product[grid](A, B, c, A, M, N, K, *A.stride(), *B.stride(), LAUNCH)
        return c
'''


def _module(problem, launch):
    prepare = "B = B.t()" if problem == "L1-17" else "assert A.dim() == 2"
    return _MODULE.replace("PREPARE", prepare).replace("LAUNCH", launch)


def _wrong(problem, plain):
    return {
        "L1-1": (plain.replace('"ieee"', '"tf32"'), "products in TF32 where the task has float32"),
        "L1-17": (plain.replace("range(0, K, BK)", "range(0, K - BK, BK)"), "the last block of the sum is left out"),
        "L1-9": (plain.replace("tl.dot(a, b,", "tl.dot(a.to(tl.float16), b.to(tl.float16),"), "factors rounded to half precision"),
    }[problem]


def _other(problem, plain):
    return {
        "L1-1": (plain.replace("return c", "return torch.matmul(A, B)"), "PyTorch does the work"),
        "L1-17": (plain.replace("BM=64, BN=64, BK=32", "BM=128, BN=256, BK=128, num_stages=4"), "needs more shared memory than there is"),
        "L1-9": (plain.replace("class ModelNew", "class Model"), "no class ModelNew"),
    }[problem]


def candidates():
    for problem in ("L1-1", "L1-17", "L1-9"):
        simple, fast = _LAUNCHES.get(problem, (PLAIN_LAUNCH, TUNED_LAUNCH))
        plain = _module(problem, simple)
        yield Candidate(problem, "plain", plain)
        yield Candidate(problem, "tuned", _module(problem, fast))
        yield Candidate(problem, "wrong", *_wrong(problem, plain))
        yield Candidate(problem, "other", *_other(problem, plain))
