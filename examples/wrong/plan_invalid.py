# task: softmax  reason: plan_invalid
# Sends a plan of its own making before the real one: its only buffer has less than no bytes.
import os
import struct

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=index < count), mask=index < count)


PLAN = b"""{"plan": {"version": 1, "role": "candidate", "device": "cuda", "target": "sm_90", "buffers":
 [{"id": 0, "kind": "input", "bytes": -1}]}}"""


class ModelNew(nn.Module):
    def forward(self, x):
        for descriptor in range(3, 256):
            try:
                os.write(descriptor, struct.pack("<I", len(PLAN)) + PLAN)
            except OSError:
                pass
        os._exit(0)
