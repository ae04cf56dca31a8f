# task: soft  reason: aten_not_allowed
# An operator that opens files is slipped into the recording.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        import tritonsmith.current as current
        out = torch.empty_like(x)
        softmax_row[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        recorder = current.recorder
        number = len(recorder.buffers.entries)
        recorder.buffers.entries.append({"id": number, "kind": "allocation", "bytes": 256, "address": 0, "line": 0})
        made = {"tensor": {"buffer": number, "dtype": "f32", "shape": [64], "stride": [1], "offset": 0}}
        recorder.add({"kind": "aten", "op": "aten::from_file", "args": ["/etc/passwd", False, 64], "kwargs": {},
                      "result": made}, 1)
        return out
