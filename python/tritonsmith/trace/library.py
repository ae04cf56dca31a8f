"""Operators behind cuBLAS, cuDNN and their like: outputs have the meta device's shapes, corrected where the libraries lay
them out otherwise (seen on a real GPU: python/tests/golden_cases.py)."""

import torch
from torch.utils._pytree import tree_map_only

from . import metas, products
from ..errors import Unsupported
from ..values import tensors_in


def run_on_meta(func, args, kwargs):
    """(results on the meta device, meta tensor of each given tensor by id). A tensor given twice is the same meta tensor
    twice, so that results in place are recognised."""
    metas.load()
    seen = {}

    def meta(tensor):
        found = seen.get(id(tensor))
        if found is None:
            found = seen[id(tensor)] = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="meta")
        return found

    args, kwargs = tree_map_only(torch.Tensor, meta, (args, kwargs))
    if kwargs.get("device") is not None:
        kwargs = {**kwargs, "device": torch.device("meta")}
    for name in ("pin_memory", "generator"):
        if kwargs.get(name):
            kwargs = {**kwargs, name: None}
    return func(*args, **kwargs), seen


def through_meta(func, args, kwargs, device="cuda"):
    """Tensors of the right shapes that nothing has filled."""
    try:
        out, seen = run_on_meta(func, args, kwargs)
    except NotImplementedError as error:
        raise Unsupported("PyTorch computes it, and nobody knows its shape", of_candidate="host_compute") from error
    own = {id(seen[id(t)]): t for t in tensors_in((args, kwargs)) if id(t) in seen}

    def real(tensor):
        if id(tensor) in own:
            return own[id(tensor)]
        return torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device=device)

    return tree_map_only(torch.Tensor, real, out)


def execute(op, func, args, kwargs):
    """The operator's results on the device that computes nothing."""
    if op.name.startswith("aten::_cudnn_ctc_loss"):
        return args[0].new_empty(args[0].shape[1]), torch.empty_like(args[0])
    product = products.execute(op.name, args, kwargs)
    if product is not None:
        return product
    out = through_meta(func, args, kwargs)
    if op.name == "aten::convolution":
        return _convolution(out, args[0], args[1])
    if op.name == "aten::_scaled_dot_product_cudnn_attention" and not op.argument("compute_log_sumexp", args, kwargs):
        return (out[0], None, *out[2:])
    return out


def _convolution(out, source, weight):
    """cuDNN answers in channels-last where input or weight is (ATen/native/ConvUtils.h, cudnn_conv_suggest_memory_format)."""
    memory_format = {4: torch.channels_last, 5: torch.channels_last_3d}.get(out.dim())
    if memory_format is None or out.dtype == torch.float64:
        return out
    if _is_last(source, memory_format) or _is_last(weight, memory_format):
        return torch.empty(out.shape, dtype=out.dtype, device=out.device, memory_format=memory_format)
    return out


def _is_last(tensor, memory_format):
    return tensor.is_contiguous(memory_format=memory_format) and not tensor.is_contiguous()
