# task: row_sums
# Autotuned over how a row is split; the output is zeroed by the configuration's hook as well.
import torch
import torch.nn as nn
import triton
import triton.language as tl


def zero(args):
    args["out_ptr"].zero_()


@triton.autotune(configs=[triton.Config({"PER": p, "BLOCK": b}, num_warps=w, pre_hook=zero) for p, b, w in ((1024, 512, 4), (4096, 1024, 8))], key=["cols"])
@triton.jit
def sums(x_ptr, out_ptr, cols, PER: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((BLOCK,), tl.float32)
    for k in tl.static_range(0, PER, BLOCK):
        col = tl.program_id(1) * PER + k + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)
    tl.atomic_add(out_ptr + row, tl.sum(total))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device)
        sums[lambda meta: (rows, triton.cdiv(cols, meta["PER"]))](x, out, cols)
        return out
