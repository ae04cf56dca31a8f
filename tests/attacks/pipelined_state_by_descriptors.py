# task: chain_of_products  reason: stale_pipelined_load
# The same with tensor descriptors.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def chain(x_ptr, w_ptr, state_ptr, out_ptr, rows, steps, ROWS: tl.constexpr, DIM: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, shape=[rows, DIM], strides=[DIM, 1], block_shape=[ROWS, DIM])
    w = tl.make_tensor_descriptor(w_ptr, shape=[steps * DIM, DIM], strides=[DIM, 1], block_shape=[DIM, DIM])
    state = tl.make_tensor_descriptor(state_ptr, shape=[(steps + 1) * rows, DIM], strides=[DIM, 1], block_shape=[ROWS, DIM])
    out = tl.make_tensor_descriptor(out_ptr, shape=[rows, DIM], strides=[DIM, 1], block_shape=[ROWS, DIM])
    row = tl.program_id(0) * ROWS
    state.store([row, 0], x.load([row, 0]))
    for step in range(steps):
        product = tl.dot(state.load([step * rows + row, 0]), w.load([step * DIM, 0]))
        state.store([(step + 1) * rows + row, 0], product.to(tl.float16))
    out.store([row, 0], state.load([steps * rows + row, 0]))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, device="cuda", dtype=torch.int8))

    def forward(self, x, weights):
        out = torch.empty_like(x)
        state = torch.empty(weights.shape[0] + 1, *x.shape, dtype=x.dtype, device=x.device)
        chain[(x.shape[0] // 64,)](x, weights, state, out, x.shape[0], weights.shape[0], ROWS=64, DIM=64, num_stages=3)
        return out
