"""Small tasks whose operators PyTorch chooses by device. Run on a machine with a GPU, this file writes what the real device got:

    python3 python/tests/golden_cases.py golden_sm_90.json

test_golden.py holds the tracer's device to it. Recurrent layers are recorded whole by the tracer (docs/protocols.md), so
only their results are compared.
"""

import json
import sys

# name: (inputs, constructor, forward)
CASES = {
    "attention f16": ("torch.rand(2, 4, 128, 64).half()", "", "F.scaled_dot_product_attention(x, x, x)"),
    "attention bf16 causal": ("torch.rand(2, 4, 128, 128).bfloat16()", "", "F.scaled_dot_product_attention(x, x, x, is_causal=True)"),
    "attention f32": ("torch.rand(2, 4, 128, 64)", "", "F.scaled_dot_product_attention(x, x, x)"),
    "attention f32 mask": ("torch.rand(2, 4, 128, 64)", "", "F.scaled_dot_product_attention(x, x, x, attn_mask=x[..., :1].transpose(-1, -2).expand(2, 4, 128, 128).contiguous())"),
    "attention f16 wide heads": ("torch.rand(1, 2, 64, 512).half()", "", "F.scaled_dot_product_attention(x, x, x)"),
    "attention f64": ("torch.rand(1, 2, 16, 8).double()", "", "F.scaled_dot_product_attention(x, x, x)"),
    "attention f16 grouped": ("torch.rand(2, 8, 64, 64).half()", "", "F.scaled_dot_product_attention(x, x[:, :2], x[:, :2], enable_gqa=True)"),
    "multi-head attention": ("torch.rand(16, 2, 64)", "self.m = nn.MultiheadAttention(64, 4)", "self.m(x, x, x)[0]"),
    "transformer layer": ("torch.rand(2, 16, 64)", "self.m = nn.TransformerEncoderLayer(64, 4, batch_first=True, dropout=0.0)", "self.m(x)"),
    "conv1d": ("torch.rand(2, 8, 32)", "self.m = nn.Conv1d(8, 16, 3)", "self.m(x)"),
    "conv2d": ("torch.rand(2, 8, 16, 16)", "self.m = nn.Conv2d(8, 16, 3, padding=1, stride=2)", "self.m(x)"),
    "conv2d depthwise": ("torch.rand(2, 8, 16, 16)", "self.m = nn.Conv2d(8, 8, 3, groups=8)", "self.m(x)"),
    "conv2d channels last": ("torch.rand(2, 8, 16, 16).to(memory_format=torch.channels_last)", "self.m = nn.Conv2d(8, 16, 3)", "self.m(x)"),
    "conv2d same": ("torch.rand(2, 8, 16, 16)", "self.m = nn.Conv2d(8, 16, 4, padding='same')", "self.m(x)"),
    "conv2d f16 dilated": ("torch.rand(2, 8, 16, 16).half()", "self.m = nn.Conv2d(8, 16, 3, dilation=2).half()", "self.m(x)"),
    "conv2d f64": ("torch.rand(2, 8, 16, 16).double()", "self.m = nn.Conv2d(8, 16, 3).double()", "self.m(x)"),
    "conv3d": ("torch.rand(1, 4, 8, 8, 8)", "self.m = nn.Conv3d(4, 8, 3)", "self.m(x)"),
    "conv transpose 1d": ("torch.rand(2, 8, 16)", "self.m = nn.ConvTranspose1d(8, 4, 3, stride=2)", "self.m(x)"),
    "conv transpose 2d": ("torch.rand(2, 8, 16, 16)", "self.m = nn.ConvTranspose2d(8, 4, 3, stride=2, output_padding=1)", "self.m(x)"),
    "conv transpose 3d": ("torch.rand(1, 4, 6, 6, 6)", "self.m = nn.ConvTranspose3d(4, 4, 3, groups=2)", "self.m(x)"),
    "batch norm 1d": ("torch.rand(8, 16)", "self.m = nn.BatchNorm1d(16)", "self.m(x)"),
    "batch norm 2d": ("torch.rand(2, 8, 16, 16)", "self.m = nn.BatchNorm2d(8)", "self.m(x)"),
    "batch norm 2d eval": ("torch.rand(2, 8, 16, 16)", "self.m = nn.BatchNorm2d(8).eval()", "self.m(x)"),
    "batch norm 2d channels last": ("torch.rand(2, 8, 16, 16).to(memory_format=torch.channels_last)", "self.m = nn.BatchNorm2d(8)", "self.m(x)"),
    "batch norm 3d f16": ("torch.rand(2, 8, 4, 8, 8).half()", "self.m = nn.BatchNorm3d(8)", "self.m(x)"),
    "layer norm": ("torch.rand(4, 8, 64)", "self.m = nn.LayerNorm(64)", "self.m(x)"),
    "group norm": ("torch.rand(2, 8, 16, 16)", "self.m = nn.GroupNorm(4, 8)", "self.m(x)"),
    "instance norm": ("torch.rand(2, 8, 16, 16)", "self.m = nn.InstanceNorm2d(8)", "self.m(x)"),
    "rms norm": ("torch.rand(4, 64)", "self.m = nn.RMSNorm(64)", "self.m(x)"),
    "linear": ("torch.rand(4, 8, 64)", "self.m = nn.Linear(64, 32)", "self.m(x)"),
    "linear f16 without bias": ("torch.rand(4, 8, 64).half()", "self.m = nn.Linear(64, 32, bias=False).half()", "self.m(x)"),
    "products": ("torch.rand(8, 8)", "", "(x @ x, x @ x[0], torch.dot(x[0], x[1]), torch.bmm(x[None], x[None]), torch.einsum('ij,kj->ik', x, x), torch.addmm(x, x, x), x[None, None] @ x)"),
    "losses": ("torch.rand(8, 8)", "", "(F.cross_entropy(x, torch.arange(8)), F.mse_loss(x, x), F.kl_div(x, x), F.smooth_l1_loss(x, x + 1), F.triplet_margin_loss(x, x, x), F.cosine_embedding_loss(x, x, x[0]))"),
    "pooling": ("torch.rand(2, 4, 16, 16)", "", "(F.max_pool2d(x, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, 1), F.adaptive_max_pool2d(x, 2), F.max_pool2d(x, 2, return_indices=True)[1])"),
    "reductions": ("torch.rand(4, 64)", "", "(x.sum(1), x.mean(), x.amax(1), x.max(1), x.std(), x.var(0), x.norm(), x.argmin(), x.prod(0), x.logsumexp(1), x.softmax(1), x.log_softmax(0), x.cumsum(1), x.cumprod(1), x.sort(1), x.topk(3))"),
    "activations": ("torch.rand(4, 64)", "self.p = nn.PReLU()", "(F.gelu(x), F.silu(x), F.mish(x), F.hardswish(x), F.elu(x), F.selu(x), F.softplus(x), F.hardtanh(x), F.leaky_relu(x), F.softsign(x), self.p(x), F.glu(x), F.rrelu(x))"),
    "embedding": ("torch.randint(0, 9, (4, 8))", "self.m = nn.Embedding(9, 16)", "self.m(x)"),
    "interpolation": ("torch.rand(1, 3, 8, 8)", "", "(F.interpolate(x, scale_factor=2.0), F.interpolate(x, size=(5, 5), mode='bilinear'), F.pad(x, (1, 1, 1, 1), mode='reflect'), F.pixel_shuffle(x.expand(4, 3, 8, 8).reshape(1, 12, 8, 8), 2), F.unfold(x, 3))"),
    "solvers": ("torch.rand(6, 6)", "", "(torch.linalg.qr(x), torch.linalg.inv(x), torch.linalg.solve(x, x), torch.linalg.det(x), torch.linalg.eigh(x), torch.linalg.cholesky(x @ x.T), torch.linalg.norm(x))"),
    "fourier": ("torch.rand(4, 16)", "", "(torch.fft.fft(x).abs(), torch.fft.rfft2(x).abs(), torch.fft.irfft(torch.fft.rfft(x)))"),
    "indexing": ("torch.rand(8, 8)", "", "(x[torch.arange(3)], x.gather(1, torch.zeros(8, 2, dtype=torch.long)), x.scatter(1, torch.zeros(8, 1, dtype=torch.long), 1.0), x.index_select(0, torch.arange(2)), torch.where(x > 0.5, x, 0), x.masked_fill(x > 1, 0), x.roll(1, 0), x.flip(0), torch.cat([x, x]), torch.stack([x, x]), x.repeat(2, 2), x.tril(), torch.nn.functional.one_hot(torch.arange(3), 4))"),
    "lstm": ("torch.rand(7, 2, 6)", "self.m = nn.LSTM(6, 5, num_layers=2, bidirectional=True)", "self.m(x)"),
    "gru": ("torch.rand(2, 7, 6)", "self.m = nn.GRU(6, 5, batch_first=True)", "self.m(x)"),
    "rnn": ("torch.rand(7, 2, 6)", "self.m = nn.RNN(6, 5, nonlinearity='relu')", "self.m(x)"),
    "cells": ("torch.rand(2, 6)", "self.a, self.b = nn.LSTMCell(6, 6), nn.GRUCell(6, 6)", "(self.a(x), self.b(x))"),
}
RESULTS_ONLY = ("lstm", "gru", "rnn")


def source(name):
    inputs, constructor, forward = CASES[name]
    return f"""import torch
from torch import nn
from torch.nn import functional as F

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {constructor or "pass"}

    def forward(self, x):
        return {forward}

def get_inputs():
    return [{inputs}]
"""


def on_this_gpu(text):
    """[[operator, [[dtype, shape, stride] of each result]]] of a task's forward phase, then the outputs'. @param text: the task"""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    dtypes = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64", torch.int32: "i32",
              torch.uint8: "u8", torch.bool: "b1", torch.complex64: "c64", torch.uint64: "u64"}
    steps = []

    def described(value):
        return [[dtypes[t.dtype], list(t.shape), list(t.stride())] for t in tree_leaves(value) if isinstance(t, torch.Tensor)]

    def on_device(value):
        return value.to("cuda") if isinstance(value, torch.Tensor) else value

    class Listing(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            steps.append([func.name(), described(out)])
            return out

    namespace = {}
    exec(text, namespace)
    with torch.device("cuda"), torch.no_grad():
        inputs = [on_device(v) for v in namespace["get_inputs"]()]
        model = namespace["Model"](*(namespace["get_init_inputs"]() if "get_init_inputs" in namespace else [])).to("cuda")
        with Listing():
            out = model(*inputs)
    return {"steps": steps, "output": described(out)}


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        json.dump({name: on_this_gpu(source(name)) for name in CASES}, file)
