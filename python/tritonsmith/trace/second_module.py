"""Whether a second module of a file reads weights of its own: two layers of a network are two modules of one class."""

import contextlib
import io

import torch

from ..errors import TraceError
from .host import HostMode


def check(recorder, weights, construct, weights_of, inputs, first_call):
    """Leaves traces in the recorder, whose plan is made by now. Raises where a parameter that the first module's first call reads
    is not read by the second's: what was made of the first one's is taken for it.

    @param construct: makes a module, whose weights `weights_of` tells then  @param inputs: others than the first call's, as many
    """
    read = _parameters(weights, first_call)
    if not read:
        return
    with contextlib.redirect_stdout(io.StringIO()), torch.no_grad(), recorder.mode, HostMode(recorder):
        try:
            model = construct()
            recorder.steps, recorder.alternative, recorder._count = [], None, 0
            recorder.begin_call()
            model(*inputs)
        except BaseException:  # noqa: BLE001  (what it cannot do twice it does not do wrong)
            return
    if recorder.failure is not None:
        return
    missing = sorted(read - _parameters(weights_of(), recorder.steps))
    if missing:
        raise TraceError(f"a second module of the class never reads its parameter {missing[0]}: what the file keeps of the first module's "
                         "is taken for it", reason="stale_state")


def _parameters(weights, steps):
    """Names of the parameters whose memory any step has to do with."""
    touched = set()
    for step in steps:
        if step["kind"] != "free":
            _buffers(step, touched)
    return {w["name"] for w in weights if w["parameter"] and w["tensor"]["buffer"] in touched}


def _buffers(value, into):
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "buffer":
                into.add(item)
            else:
                _buffers(item, into)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _buffers(item, into)
