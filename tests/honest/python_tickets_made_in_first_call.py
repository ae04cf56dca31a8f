# task: row_sums_f32
# Tickets that the first call makes; the program that takes a row's last one puts it back.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def parts(x_ptr, part_ptr, ticket_ptr, out_ptr, cols, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    acc = tl.zeros((BLOCK,), tl.float32)
    for start in range(part * BLOCK, cols, SPLIT * BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x_ptr + row * cols + c, mask=c < cols, other=0.0)
    tl.store(part_ptr + row * SPLIT + part, tl.sum(acc, axis=0))
    tl.debug_barrier()
    if tl.atomic_add(ticket_ptr + row, 1) == SPLIT - 1:
        total = tl.sum(tl.load(part_ptr + row * SPLIT + tl.arange(0, SPLIT), volatile=True), axis=0)
        tl.store(out_ptr + row, total)
        tl.store(ticket_ptr + row, 0)


class ModelNew(nn.Module):
    tickets = None

    def forward(self, x):
        rows, cols = x.shape
        if self.tickets is None:
            self.tickets = torch.zeros(rows, dtype=torch.int32, device=x.device)
            self.parts = torch.empty(rows, 4, device=x.device)
        out = torch.empty(rows, device=x.device)
        parts[(rows, 4)](x, self.parts, self.tickets, out, cols, SPLIT=4, BLOCK=256)
        return out
