"""One request → {"plan": …} or {"error": …} (docs/protocols.md)."""

import inspect
import math

import torch
from triton.backends.compiler import GPUTarget

from .. import device as fake
from .. import current, front_end
from . import clocks, host, kept_size, later_calls, second_module
from ..errors import TraceError, Unsupported
from ..explain import explain
from .host import HostMode
from .python_state import python_state
from ..program import Program
from .recorder import Recorder
from .drawn import MOST_READ
from ..values import DTYPE_OF, by_key, decode, encode, tensors_in

_NAMES = {"reference": "reference", "candidate": "candidate", "script": "__main__"}


def trace(request):
    """Never raises for what the program does."""
    tracing = None
    try:
        front_end.take_texts(request.get("lowered") or [])
        tracing = _Tracing(request)
        answer = {"plan": tracing.plan()}
        if request.get("keep_lowered"):
            answer["lowered"] = front_end.known_texts()
        return answer
    except BaseException as error:  # noqa: BLE001  (SystemExit and KeyboardInterrupt of the program included)
        recorder = tracing.recorder if tracing is not None and hasattr(tracing, "recorder") else None
        if recorder is not None:
            recorder.done = True
            error = recorder.failure or error
        described = explain(error, getattr(tracing, "program", None))
        if described["reason"] == "unsupported_operation" and request.get("kind") != "reference":
            # A candidate must not talk its way out of a verdict.
            described["reason"] = error.of_candidate if isinstance(error, Unsupported) else "trace_error"
        if recorder is not None:
            described["launches"] = sum(s["kind"] in ("launch", "choice") for s in recorder.steps)
        return {"error": described}


class _Tracing:
    def __init__(self, request):
        self.request = request
        self.kind, self.device = request["kind"], request.get("device", "cuda")
        if self.kind not in _NAMES or self.device not in ("cuda", "cpu"):
            raise TraceError(f'a request is for kind reference, candidate or script on cuda or cpu, not "{self.kind}" on "{self.device}"')
        number = fake.set_target(request["target"])
        self.recorder = Recorder(self.device, request["filename"], request.get("configuration", 0), request.get("draw_seed", 0))
        current.start(self.recorder, GPUTarget("cuda", number, 32))
        host.install(self.recorder)
        self.program = None
        values = request.get("constants") or {} if self.kind == "reference" else None
        self.program = Program(request["source"], request["filename"], _NAMES[self.kind], values)
        self.weights, self.inputs, self.init_inputs, self.output = [], [], [], None
        # Inputs and module outlive the call, whatever the frames that hold them do.
        self._kept = []

    def plan(self):
        getattr(self, "_" + self.kind)()
        recorder = self.recorder
        if recorder.failure is not None:
            raise recorder.failure
        recorder.check_reads("the program", 0)
        if self.kind == "candidate":
            recorder.watch.check()
        output = self._encode_output()
        ends_behind = recorder.streams.end() if recorder.streams is not None else []
        recorder.done = True
        plan = {
            "version": 1, "role": self.kind, "device": self.device, "target": self.request["target"],
            "buffers": list(recorder.buffers.entries), "kernels": list(recorder.kernels), "steps": list(recorder.steps),
            "weights": self.weights, "inputs": self.inputs, "init_inputs": self.init_inputs,
            "constants": self.program.constants, "output": output, "configurations": recorder.configurations,
            "ends_behind": ends_behind, "warnings": [w[:1000] for w in recorder.warnings[:1000]],
        }
        if self.kind == "candidate" and self.request.get("call", 1) == 1:
            first_call = plan["steps"][self._first_call[0]:]
            plan["later_calls"] = self._later_calls()
            plan["keeps_size"] = self._keeps_size(first_call)
            self._check_second_module(first_call)
        if self.kind == "reference" and self.device == "cpu" and self._may_differ and later_calls.in_each_call(
                recorder, self._model, self._given_inputs, self.output, self._first_call, self._seconds):
            raise Unsupported("the module does something else in each of its calls: what it counts in Python, or reads on the host, "
                              "between calls is not judged")
        return plan

    def _encode_output(self):
        if self.kind == "script":
            return None
        for tensor in self._output_tensors() if self.kind == "candidate" else ():
            if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
                # Whoever uses it runs code of the program's: it is no result yet.
                raise TraceError(f"an output is a {type(tensor).__name__}, not a plain torch.Tensor", reason="output_structure")
        try:
            return self._encode(by_key(self.output))
        except Unsupported as error:
            reason = "plan_invalid" if error.of_candidate == "plan_invalid" else "output_structure"
            raise Unsupported(f"the output cannot be compared: {error}", of_candidate=reason) from error
        except RecursionError:
            raise Unsupported("the output cannot be compared: it contains itself", of_candidate="output_structure") from None

    def _output_tensors(self):
        try:
            return list(tensors_in(self.output))
        except RecursionError:  # `encode` says so
            return []

    def _encode(self, value):
        return encode(value, lambda tensor: self.recorder.buffers.describe(tensor, 0))

    # --- reference

    def _reference(self):
        recorder = self.recorder
        with HostMode(recorder, self.device), torch.no_grad(), recorder.mode:
            recorder.phase = "inputs"
            module = self.program.run()
            entry = self._entry(module)
            inputs = other_numbers(each_its_own(self._moved(self._call(module, "get_inputs"))), self.request.get("moved"))
            init_inputs = self._moved(self._call(module, "get_init_inputs")) if hasattr(module, "get_init_inputs") else []
            if self.request.get("moved") == "half":
                inputs = kept_size.halved(inputs) or inputs
            self.inputs = [self._encode(v) for v in inputs]
            self.init_inputs = [self._encode(v) for v in init_inputs]
            self._let_small_integers_be_read(inputs)
            recorder.phase = "init"
            model = self._construct(entry, init_inputs)
            recorder.begin_call()
            self._kept += [inputs, init_inputs, model]
            self._first_call = len(recorder.steps), len(recorder.buffers.entries)
            start, before = clocks.monotonic(), (python_state(module, model), recorder.values_read)
            self.output = model(*inputs)
            self._model, self._given_inputs, self._seconds = model, inputs, clocks.monotonic() - start
            # Calls compute on a CPU: others are made where the first one has left something, or read something on the host.
            self._may_differ = (python_state(module, model), recorder.values_read) != before

    def _let_small_integers_be_read(self, inputs):
        """Lengths, offsets and such: what the reference reads of them on the host, a candidate may read too."""
        buffers = self.recorder.buffers
        for tensor in tensors_in(inputs):
            known = self.recorder.revealed(tensor) if tensor.numel() <= MOST_READ and not tensor.is_floating_point() and not tensor.is_complex() else None
            if known is not None:
                with torch._C.DisableTorchFunction():  # what may be asked for has not been asked for
                    values = [int(v) for v in known.flatten().tolist()]
                self.recorder.allow_reads(tensor, buffers.describe(tensor, 0), values)

    def _call(self, module, name):
        function = getattr(module, name, None)
        if not callable(function):
            raise TraceError(f"the task has no function {name}", reason="entry_missing")
        return list(function())

    def _moved(self, values):
        """As the suites do: tensors go to the device before the call."""
        return [v.to(self.device) if isinstance(v, torch.Tensor) else v for v in values]

    # --- candidate

    def _candidate(self):
        recorder = self.recorder
        inputs, init_inputs = self._given()
        call = self.request.get("call", 1)
        sets = {later_calls.set_of(number): self._own.another() for number in range(1, call)}
        sets[later_calls.set_of(call)] = self._own
        with torch.no_grad(), recorder.mode:
            recorder.phase = "init"
            with HostMode(recorder, self.device):
                module = self.program.run()
                entry = self._entry(module)
                model = self._construct(entry, init_inputs)
            self._kept += [inputs, init_inputs, model]
            self._module, self._model, self._another = module, model, lambda: self._construct_again(entry, init_inputs)
            self._afresh = lambda: self._construct_again(None, init_inputs)
            with HostMode(recorder):
                bindable(model, inputs)
                self._calls_before(sets)
                recorder.begin_call()
                self._first_call = len(recorder.steps), len(recorder.buffers.entries)
                kept = python_state(module)
                start = clocks.monotonic()
                with later_calls.gradients(call):
                    self.output = model(*inputs)
                self._seconds = clocks.monotonic() - start
                self._shares_something = python_state(module) != kept
                if self._own.exchanged():
                    raise Unsupported("the memory of an input was exchanged", 0, "plan_invalid")

    def _calls_before(self, sets):
        """Where the plan is to be that of a later call: the calls before it, on other numbers, are a part of the construction."""
        recorder, call = self.recorder, self.request.get("call", 1)
        for number in range(1, call):
            given = sets[later_calls.set_of(number)]
            if given is self._own:  # the last call's, whose buffers are of its plan's inputs
                given.lend(recorder.buffers)
            given.fill()
            self._kept.append(given)
            try:
                with later_calls.gradients(number):
                    self._kept.append(self._model(*given.inputs))
            except Exception:
                if number != later_calls.WITH_GRADIENTS or recorder.failure is not None:
                    raise
            if given is self._own:
                given.take_back(recorder.buffers)
            clocks.jump()

    def _later_calls(self):
        """Numbers of later calls that do something else than the first."""
        sets = [self._own, self._own.another(), self._own.another()]
        for given in sets[1:]:
            given.numbers = {self.recorder.buffers.add(storage, "input", 0): n for n, storage in given.storages.items()}
            given.reveal(self.recorder)
        self._kept += sets
        return later_calls.differing(self.recorder, self._model, sets.__getitem__, self.output, self._first_call, self._seconds,
                                     lambda: python_state(self._module, self._model))

    def _keeps_size(self, first_call):
        """Whether a call with half a batch does what the first call did, and the file, run anew, does not."""
        if self._seconds > later_calls.MANY_SECONDS:
            return False
        shapes = [(t.dtype, tuple(t.shape)) for t in tensors_in(self.output)]
        return kept_size.keeps_size(self.recorder, self._model, self._afresh, self._own.another().inputs, first_call, shapes)

    def _check_second_module(self, first_call):
        """Where modules of the file share something, another one must read weights of its own."""
        if self._shares_something and self._seconds <= later_calls.MANY_SECONDS:
            second_module.check(self.recorder, self.weights, self._another, lambda: self.weights, self._own.another().inputs, first_call)

    def _given(self):
        """Inputs as the request describes them, each buffer one storage that nothing is known of."""
        described = [self.request.get("inputs") or [], self.request.get("init_inputs") or []]
        extents = {}
        for tensor in described_tensors(described):
            size = torch.empty(0, dtype=DTYPE_OF[tensor["dtype"]]).element_size()
            span = 1 + sum((n - 1) * s for n, s in zip(tensor["shape"], tensor["stride"])) if 0 not in tensor["shape"] else 0
            bytes_needed = (tensor["offset"] + span) * size
            extents[tensor["buffer"]] = max(extents.get(tensor["buffer"], 0), bytes_needed)
        storages = {number: torch.empty(size, dtype=torch.uint8, device=self.device).untyped_storage()
                    for number, size in sorted(extents.items())}
        numbers = {number: self.recorder.buffers.add(storage, "input", 0) for number, storage in storages.items()}
        assert list(numbers.values()) == list(range(len(numbers)))
        self._own = later_calls.Given(described[0], storages, self.request.get("readable") or (), self.device)
        self._own.numbers = {number: key for key, number in numbers.items()}
        inputs, init_inputs = self._own.inputs, decode(described[1], self._own.tensor)
        self.inputs = [self._encode(v) for v in inputs]
        self.init_inputs = [self._encode(v) for v in init_inputs]
        self._own.reveal(self.recorder)
        return inputs, init_inputs

    # --- both

    def _entry(self, module):
        name = self.request.get("entry") or ("Model" if self.kind == "reference" else "ModelNew")
        entry = getattr(module, name, None)
        if not callable(entry):
            raise TraceError(f"no class {name} is defined", reason="entry_missing")
        return entry

    def _construct_again(self, entry, init_inputs):
        """As the first module was made: what names no device lies on it. @param entry: None: that of the file, run anew"""
        with HostMode(self.recorder, self.device):
            return self._construct(entry or self._entry(self.program.run()), init_inputs)

    def _construct(self, entry, init_inputs):
        recorder = self.recorder
        bindable(entry, init_inputs)
        model = entry(*init_inputs)
        if not isinstance(model, torch.nn.Module):
            return model
        model = model.to(self.device)
        parameters = dict(model.named_parameters(remove_duplicate=False))
        for name, tensor in parameters.items():
            # Whoever runs the plan draws its own weights, so what a constructor put there is not known.
            if tensor.is_floating_point():
                recorder.buffers.id_of(tensor, 0)
                recorder.buffers.forget(tensor)
        named = [(n, t, True) for n, t in parameters.items()] + [(n, t, False) for n, t in model.named_buffers(remove_duplicate=False)]
        self._kept += [t for _, t, _ in named]
        passing = {f"{prefix}.{n}" if prefix else n for prefix, inner in model.named_modules() for n in getattr(inner, "_non_persistent_buffers_set", ())}
        self.weights = [{"name": n, "tensor": recorder.buffers.describe(t, 0), "parameter": p, "persistent": n not in passing} for n, t, p in named]
        return model

    # --- script

    def _script(self):
        recorder = self.recorder
        recorder.phase = "forward"
        with HostMode(recorder), recorder.mode:
            self.program.run()


def each_its_own(values):
    """An argument that is given twice is two tensors: which of them a program reads can be told."""
    seen = set()

    def own(value):
        if type(value) in (list, tuple):
            return type(value)(own(item) for item in value)
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) in seen:
            return value.clone()
        seen.add(id(value))
        return value

    return own(values)


def other_numbers(value, which):
    """With Python numbers that are data moved: "floats", or "whole" for integers and booleans; integers "above" or "below" by far;
    lists of integers in another "order"."""
    if which == "floats" and type(value) is float and math.isfinite(value):
        return 1.37 * value if value else 0.37
    if which == "whole" and type(value) in (int, bool):
        return value + 1 if type(value) is int else not value
    if which in ("above", "below") and type(value) is int:
        return 8 * value + 1 if which == "above" else value // 8
    if which == "order" and type(value) in (list, tuple) and value and all(type(item) is int for item in value):
        back = value[::-1]
        return back if back != value else value[1:] + value[:1]
    if which and type(value) in (list, tuple):
        return type(value)(other_numbers(item, which) for item in value)
    return value


def described_tensors(value):
    if isinstance(value, list):
        for item in value:
            yield from described_tensors(item)
    elif isinstance(value, dict):
        if "tensor" in value:
            yield value["tensor"]
        else:
            for inner in value.values():
                yield from described_tensors(inner)


def bindable(function, arguments):
    """Tells "cannot be called so" from an error inside."""
    target = function.forward if isinstance(function, torch.nn.Module) else function
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        name = getattr(target, "__qualname__", type(target).__name__)
        raise TraceError(f"{name} cannot be called with the task's {len(arguments)} arguments: {error}", reason="entry_missing") from None


