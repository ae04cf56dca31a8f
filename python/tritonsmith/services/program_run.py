"""One request to run a program with its own tests (docs/protocols.md) → its answer, in the child."""

import ast
import contextlib
import io
import linecache
import os
import random
import sys
import time

import torch

from tritonsmith import eager, packs
from tritonsmith.explain import explain
from tritonsmith.program import Program
from tritonsmith.services.as_written_run import device
from tritonsmith.values import DTYPES

_MOST_PRINTED, _MOST_TEXT, _MOST_PLACES = 1 << 16, 200, 10_000


def answer(request, outputs):
    """Never raises for what the program does. @param outputs: descriptor of the memory file for its values"""
    run = _Run(request)
    try:
        with device(request["device"]):
            return {"ok": True, **run(outputs)}
    except BaseException as error:  # noqa: BLE001  (SystemExit and KeyboardInterrupt of the program included)
        return {"ok": False, **explain(error, run.program)}


class _Run:
    """The program with its request; called once."""

    def __init__(self, request):
        self.request, self.program, self.printed = request, None, io.StringIO()

    def __call__(self, outputs):
        request = self.request
        eager.ignore_compile(lambda: None)
        begin = time.monotonic()
        self.program = Program(request["source"], request["filename"], "__main__")
        tests, names = _compiled(request["tests"], request["filename"] + ".tests")
        with contextlib.redirect_stdout(self.printed):
            _seed(request["seed"])
            module = self.program.run()
            # `python NAME.py` finds itself as the module NAME: some tests import it.
            sys.modules.setdefault(os.path.splitext(request["filename"])[0], module)
            _seed(request["seed"])  # whatever the program has drawn: the tests draw the same
            exec(tests, module.__dict__)
            if torch.cuda.is_initialized() and request["device"] != "cpu":
                torch.cuda.synchronize()
        seconds = time.monotonic() - begin
        tensors, texts = [], {}
        for name in names:
            _flatten(module.__dict__.get(name), name, tensors, texts)
        with torch.no_grad():
            index = packs.write(outputs, os.fstat(outputs).st_size, tensors)
        return {"values": index, "texts": texts, "printed": self.printed.getvalue()[:_MOST_PRINTED], "seconds": seconds}


def _compiled(tests, filename):
    """@returns the code, and the names that it assigns at its top level"""
    linecache.cache[filename] = (len(tests), None, tests.splitlines(keepends=True), filename)
    tree = ast.parse(tests, filename)
    names = [target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Name)]
    return compile(tree, filename, "exec"), list(dict.fromkeys(names))


def _seed(seed):
    import numpy

    torch.manual_seed(seed)
    random.seed(seed)
    numpy.random.seed(seed % 2**32)


def _flatten(value, place, tensors, texts):
    """Tensors and numbers become tensors on the host, containers their items, all else text."""
    if len(tensors) + len(texts) > _MOST_PLACES:
        raise ValueError(f"the tests give more than {_MOST_PLACES} values")
    if isinstance(value, torch.Tensor) and value.dtype in DTYPES and value.layout == torch.strided:
        with torch._C.DisableTorchFunction():
            tensors.append((place, value.detach().resolve_conj().resolve_neg().cpu().contiguous()))
    elif isinstance(value, (bool, int, float)):
        tensors.append((place, torch.tensor(float(value), dtype=torch.float64)))
    elif isinstance(value, dict):
        for key, item in value.items():
            _flatten(item, f"{place}[{key!r}]", tensors, texts)
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            _flatten(item, f"{place}[{i}]", tensors, texts)
    else:
        texts[place] = value[:_MOST_TEXT] if isinstance(value, str) else type(value).__name__
