"""Recurrent layers are recorded whole (aten::lstm.input ...): cuDNN's own operators run on no other device, and cuDNN
does not initialise on a device that computes nothing."""

import torch

_NAMES = ("lstm.input", "gru.input", "rnn_tanh.input", "rnn_relu.input")
_library = None


def register():
    """Gives the composite operators kernels of their own, so that PyTorch dispatches them before it takes them apart."""
    global _library
    if _library is not None:
        return
    _library = torch.library.Library("aten", "IMPL")
    for name in _NAMES:
        packet, overload = name.split(".")
        func = getattr(getattr(torch.ops.aten, packet), overload)
        for key in ("CPU", "CUDA"):
            _library.impl(name, lambda *args, _func=func, **kwargs: execute(_func, args, kwargs), key)


def execute(func, args, kwargs):
    """As PyTorch would without us: by the composite implementation."""
    return func._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)


def shapes(op, args, kwargs):
    """(output, h[, c]) for (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)."""
    source, hidden = args[0], args[1]
    states = list(hidden) if isinstance(hidden, (list, tuple)) else [hidden]
    directions = 2 if op.argument("bidirectional", args, kwargs) else 1
    width = states[0].shape[-1] * directions
    if op.argument("batch_first", args, kwargs) and source.dim() == 3:
        # cuDNN works on [time, batch, …], and PyTorch transposes what it gives.
        output = source.new_empty((source.shape[1], source.shape[0], width)).transpose(0, 1)
    else:
        output = source.new_empty((*source.shape[:-1], width))
    return (output, *(torch.empty_like(state) for state in states))
