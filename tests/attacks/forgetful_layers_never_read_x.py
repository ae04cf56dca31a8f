# task: forgetful_layers  reason: task_degenerate
# The layers begin with zeros: no output shows it, so that the task proves nothing.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layers_of(x_ptr, w_ptr, b_ptr, y_ptr, layers, DIM: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, DIM)
    h = tl.zeros((DIM,), tl.float32)
    for layer in range(layers):
        w = tl.load(w_ptr + layer * DIM * DIM + i[:, None] * DIM + i[None, :])
        h = tl.sum(h[:, None] * w, axis=0) + tl.load(b_ptr + layer * DIM + i)
    tl.store(y_ptr + row * DIM + i, h)


class ModelNew(nn.Module):
    def __init__(self, layers, dim):
        super().__init__()
        self.weights = nn.Parameter(torch.empty(layers, dim, dim).uniform_(-dim ** -0.5, dim ** -0.5))
        self.biases = nn.Parameter(torch.empty(layers, dim).uniform_(-dim ** -0.5, dim ** -0.5))

    def forward(self, x):
        y = torch.empty_like(x)
        layers_of[(x.shape[0],)](x, self.weights, self.biases, y, self.weights.shape[0], DIM=x.shape[1])
        return y
