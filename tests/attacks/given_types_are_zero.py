# task: token_types  reason: wrong_result
# Row zero for every token.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, t_ptr, o_ptr, D, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    m = c < D
    tl.store(o_ptr + r * D + c, tl.load(x_ptr + r * D + c, mask=m) + tl.load(t_ptr + c, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.tt = nn.Embedding(2, 768)

    def forward(self, x, token_type_ids):
        out = torch.empty_like(x)
        B, S, D = x.shape
        k[(B * S,)](x, self.tt.weight, out, D, BLOCK=triton.next_power_of_2(D))
        return out
