# task: silu_mul
# A fixed number of programs, as many as the device has multiprocessors, each striding over the tensor.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def persistent_silu_mul(gate_ptr, up_ptr, out_ptr, count, BLOCK: tl.constexpr):
    step = tl.num_programs(0) * BLOCK
    start = tl.program_id(0) * BLOCK
    for begin in tl.range(start, count, step, num_stages=3):
        index = begin + tl.arange(0, BLOCK)
        inside = index < count
        gate = tl.load(gate_ptr + index, mask=inside, other=0.0, cache_modifier=".cg", eviction_policy="evict_first").to(tl.float32)
        up = tl.load(up_ptr + index, mask=inside, other=0.0).to(tl.float32)
        tl.store(out_ptr + index, (gate / (1.0 + tl.exp(-gate)) * up).to(tl.float16), mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.programs = torch.cuda.get_device_properties("cuda").multi_processor_count

    @torch.no_grad()
    def forward(self, gate, up):
        out = gate.new_empty(gate.size())
        with torch.cuda.device(gate.device):
            persistent_silu_mul[(min(self.programs, triton.cdiv(out.numel(), 2048)),)](gate, up, out, out.numel(), 2048, num_warps=8)
        return out
