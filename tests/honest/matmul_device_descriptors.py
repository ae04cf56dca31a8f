# task: matmul_descriptors_task
# Descriptors made in the kernel, with an allocator for their memory; persistent over tiles.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def persistent(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, shape=[M, K], strides=[K, 1], block_shape=[BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, shape=[N, K], strides=[K, 1], block_shape=[BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    tiles_n = tl.cdiv(N, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(M, BM) * tiles_n, tl.num_programs(0), flatten=True):
        m, n = tile // tiles_n * BM, tile % tiles_n * BN
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(tl.cdiv(K, BK)):
            acc = tl.dot(a_desc.load([m, k * BK]), b_desc.load([n, k * BK]).T, acc)
        c_desc.store([m, n], acc.to(tl.bfloat16))


class ModelNew(nn.Module):
    def forward(self, a, b):
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, device="cuda", dtype=torch.int8))
        (m, k), n = a.shape, b.shape[0]
        c = torch.empty(m, n, device=a.device, dtype=a.dtype)
        sms = torch.cuda.get_device_properties(a.device).multi_processor_count
        tiles = triton.cdiv(m, 64) * triton.cdiv(n, 64)
        persistent[(min(sms, tiles),)](a, b, c, m, n, k, 64, 64, 32, num_stages=3)
        return c
