"""Linear layers with what follows them, in one kernel (level 2)."""

from . import Candidate
from .matmul import KERNEL, PLAIN_LAUNCH, TUNED_LAUNCH

_MODULE = KERNEL + '''

class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, *numbers):
        super().__init__()
        self.LAYER = nn.Linear(in_features, out_features)
        self.numbers = numbers

    def forward(self, x):
        weight, bias = self.LAYER.weight, self.LAYER.bias
        M, K = x.shape
        N = weight.shape[0]
        c = torch.empty((M, N), device=x.device, dtype=x.dtype)
        grid = lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)
        product[grid](x, weight, c, bias, M, N, K, x.stride(0), x.stride(1), weight.stride(1), weight.stride(0), LAUNCH)
        return c
'''
_BIAS = "acc += tl.load(bias_ptr + n, mask=n < N, other=0.0)[None, :]"
# problem: (the layer's name, what follows, the same wrong, why)
_LAYERS = {
    "L2-63": ("linear", "acc = tl.maximum(acc, 0.0) / 2.0", "acc = tl.abs(acc) / 2.0", "the absolute value in the place of relu"),
    "L2-59": ("matmul", "acc = acc * tl.sigmoid(acc) * 2.0", "acc = acc * tl.sigmoid(1.05 * acc) * 2.0", "a sigmoid that is five percent too steep"),
}


def _module(layer, after, launch):
    return _MODULE.replace("LAYER", layer).replace("EPILOGUE", _BIAS + "\n    " + after).replace("LAUNCH", launch)


def candidates():
    for problem, (layer, after, wrong, why) in _LAYERS.items():
        plain = _module(layer, after, PLAIN_LAUNCH)
        yield Candidate(problem, "plain", plain)
        yield Candidate(problem, "tuned", _module(layer, after, TUNED_LAUNCH))
        yield Candidate(problem, "wrong", _module(layer, wrong, PLAIN_LAUNCH), why)
        if problem == "L2-63":
            yield Candidate(problem, "other", plain.replace("        M, K = x.shape", "        x = nn.functional.linear(x, weight, bias)\n        M, K = x.shape"),
                            "the product is PyTorch's, and taken twice")
        else:
            yield Candidate(problem, "other", plain.replace("        return c", "        return c if c.sum().item() != 0 else x"), "host code reads what the device computed")
