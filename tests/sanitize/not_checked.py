# exit 4: clean; unchecked: inline_asm
import torch
import triton
import triton.language as tl


@triton.jit
def clock(x):
    now = tl.inline_asm_elementwise("mov.u32 $0, %clock;", "=r,r", [tl.program_id(0)], dtype=tl.int32, is_pure=False, pack=1)  # <? inline_asm
    tl.store(x, now)


clock[(1,)](torch.zeros(1, dtype=torch.int32, device="cuda"))
