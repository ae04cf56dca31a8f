"""Whether a module keeps the size of its first call: called with half a batch then, it must do what the file, run
anew, does with it."""

import contextlib
import io

import torch

from .host import HostMode
from ..values import tensors_in


def halved(value, rows=None):
    """Inputs with half the batch: the first dimension of the first tensor, wherever tensors have it. None where there is none."""
    if rows is None:
        rows = next((t.shape[0] for t in tensors_in(value) if t.dim() > 0), 0)
        if rows < 2:
            return None
    if isinstance(value, torch.Tensor):
        return value[:rows // 2] if value.dim() > 0 and value.shape[0] == rows else value
    if isinstance(value, dict):
        return {key: halved(item, rows) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(halved(item, rows) for item in value)
    return value


def keeps_size(recorder, model, afresh, inputs, first_call, shapes):
    """Leaves traces in the recorder, whose plan is made by now.

    @param afresh: runs the file and makes a module, so that the two share nothing (no global, no class, no function)
    @param inputs: others than the first call's, as many  @param first_call: its steps  @param shapes: types and shapes of its outputs
    """
    inputs = halved(inputs)
    if inputs is None:
        return False
    before = _numbers(first_call)
    with contextlib.redirect_stdout(io.StringIO()), torch.no_grad(), recorder.mode, HostMode(recorder):
        try:
            used = _call(recorder, model, inputs)
            if used is None or (used[0] != before and used[1] != shapes):
                return False  # it goes by the size that it is given
            new = _call(recorder, afresh(), inputs)
        except BaseException:  # noqa: BLE001  (of other sizes a program need not take any)
            return False
    return new is not None and (used[1] != new[1] or (used[0] == before and new[0] != before))


def _call(recorder, model, inputs):
    """Numbers of the launches, and types and shapes of the outputs; None where the call cannot be recorded."""
    recorder.steps, recorder.alternative, recorder._count = [], None, 0
    recorder.begin_call()
    output = model(*inputs)
    return (_numbers(recorder.steps), [(t.dtype, tuple(t.shape)) for t in tensors_in(output)]) if recorder.failure is None else None


def _numbers(steps):
    """Grids and arguments that are no tensors, of each launch."""
    return [(step["kernel"], step["grid"], [a for a in step["args"] if not isinstance(a, dict)]) for step in steps if step["kind"] == "launch"]
