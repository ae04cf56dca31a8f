"""Products of matrices by their shapes, for a device that computes nothing: contiguous, as cuBLAS gives them. They are in
most programs, and PyTorch's meta kernels take long to load (metas.py)."""

import torch


def execute(name, args, kwargs):
    """The result of aten::mm, bmm, addmm or baddbmm; None of another operator, and of arguments that do not fit: PyTorch
    says best what is wrong with them."""
    if not kwargs.keys() <= {"alpha", "beta"}:
        return None
    if name in ("aten::mm", "aten::bmm"):
        return _product(name, *args[:2])
    if name in ("aten::addmm", "aten::baddbmm"):
        out = _product(name, *args[1:3])
        return out if out is not None and _expands(args[0], out) else None
    return None


def _product(name, a, b):
    dim = 3 if name.endswith("bmm") else 2
    fits = a.dim() == b.dim() == dim and a.shape[-1] == b.shape[-2] and (dim == 2 or a.shape[0] == b.shape[0])
    if not fits or not _alike(a, b):
        return None
    return torch.empty((*a.shape[:-1], b.shape[-1]), dtype=a.dtype, device=a.device)


def _expands(tensor, out):
    sizes = zip(reversed(tensor.shape), reversed(out.shape))
    return _alike(tensor, out) and tensor.dim() <= out.dim() and all(size in (1, wanted) for size, wanted in sizes)


def _alike(a, b):
    return a.dtype == b.dtype and a.device == b.device and a.layout == b.layout == torch.strided
