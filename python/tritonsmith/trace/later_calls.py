"""Calls of a module behind its first one. What Python keeps between calls (an answer, a count, an address) shows as other steps."""

import contextlib
import io

import torch

from . import clocks
from .host import HostMode
from ..values import DTYPE_OF, decode, tensors_in

# Calls are made until so many in a row do what an earlier one did: a table that is made in the first call and kept makes the second
# another one, and what those behind it do is looked at as well.
_AT_LEAST, _OF_A_REFERENCE = 3, 2
# As many at most, unless Python keeps another thing after each of them (a count): then so many steps' worth, 12 calls at least.
_CALLS, _COUNTED_CALLS, _COUNTED_STEPS = 6, 40, 1000
# So many of them are judged.
MOST_JUDGED = 3
# Of a program with more steps, or with longer calls, only the second call is looked at.
_MANY_STEPS, MANY_SECONDS = 2000, 10.0
# Made with gradients enabled, as a user who forgets `torch.no_grad()` makes it.
WITH_GRADIENTS = 4
_BYTE = 0x3F
_NOT_COMPARED = ("draw", "benchmark", "line")


def set_of(number):
    """Which inputs the call of this number is made with: 0 those of the first, 1 others, 2 third ones. The third call has the tensors
    of the second, whose values may be others by then, the fourth has the first call's again, and from the fifth on there are three."""
    return (0, 1, 1, 0, 2)[number - 1] if number <= 5 else (number - 6) % 3


def gradients(number):
    """The grad mode of the call of this number."""
    return torch.set_grad_enabled(number == WITH_GRADIENTS)


class _Names:
    """Steps of one call with buffers named by what they are to it, so that calls can be compared.

    @param begin: number of buffers when the call began  @param inputs: number of each input's buffer → its position
    @param last: names of the call before, whose buffers are then named by what they were to it
    """

    def __init__(self, entries, begin, inputs, last=None):
        self._entries, self._begin, self._inputs, self._new = entries, begin, inputs, {}
        self._last = last._new if last is not None else {}

    def _buffer(self, number):
        entry = self._entries[number]
        if number in self._inputs:
            return ["input", self._inputs[number]]
        if "data" in entry:
            return ["constant", entry["data"]]
        if number >= self._begin:
            return ["new", self._new.setdefault(number, len(self._new)), entry["bytes"]]
        return ["last", self._last[number]] if number in self._last else number

    def of(self, value):
        if isinstance(value, dict):
            return {k: self._buffer(v) if k == "buffer" else self.of(v) for k, v in value.items() if k not in _NOT_COMPARED}
        if isinstance(value, (list, tuple)):
            return [self.of(v) for v in value]
        return value

    def call(self, steps, output):
        return [self.of(step) for step in steps if step["kind"] != "free"], self.of(output)


class Given:
    """A call's inputs, on storages of their own.

    @param described: VALUEs of the request, whose tensors name a buffer by the storage's key
    @param readable: tensors whose values host code may read (docs/protocols.md)
    """

    def __init__(self, described, storages, readable, device):
        self._described, self.storages, self._readable, self._device = described, storages, readable, device
        self.numbers = {}  # of a buffer → the key of its storage
        self._whole = set()  # keys of storages that hold integers: other numbers than zero may be no places and no lengths
        self.inputs = decode(described, self.tensor)
        self._flat = {key: torch.empty(0, dtype=torch.uint8, device=device).set_(storage, 0, [storage.nbytes()], [1]) for key, storage in storages.items()}
        self._held = [(t, t.untyped_storage()._cdata) for t in tensors_in(self.inputs)]
        given = [(self.tensor(entry["tensor"]), entry["values"]) for entry in readable]
        self._revealed = [(tensor, torch.tensor(values, dtype=tensor.dtype, device="cpu").view(tensor.shape)) for tensor, values in given]

    def tensor(self, described):
        if not DTYPE_OF[described["dtype"]].is_floating_point:
            self._whole.add(described["buffer"])
        base = torch.empty(0, dtype=DTYPE_OF[described["dtype"]], device=self._device)
        return base.set_(self.storages[described["buffer"]], described["offset"], described["shape"], described["stride"])

    def exchanged(self):
        """Whether an input has got other memory (`x.data = y`)."""
        return any(t.untyped_storage()._cdata != held for t, held in self._held)

    def another(self):
        """Other inputs, just as large."""
        storages = {n: torch.empty(s.nbytes(), dtype=torch.uint8, device=self._device).untyped_storage() for n, s in self.storages.items()}
        return Given(self._described, storages, self._readable, self._device)

    def reveal(self, recorder):
        """Lets host code read what it may read."""
        for tensor, values in self._revealed:
            recorder.buffers.learn(tensor, values)
            # In this plan's numbers: the request counts buffers in its own way.
            recorder.allow_reads(tensor, recorder.buffers.describe(tensor, 0), values.flatten().tolist())

    def fill(self):
        """Recorded: integers are zero but where host code may read them, floating numbers one that is no answer (0.75 in most types)."""
        for key, tensor in self._flat.items():
            tensor.fill_(0 if key in self._whole else _BYTE)
        for tensor, values in self._revealed:
            tensor.copy_(values)

    def lend(self, buffers):
        """From here on they are other buffers of the plan, until they are taken back."""
        for storage in self.storages.values():
            buffers.rename(storage, "allocation")

    def take_back(self, buffers):
        for number, key in self.numbers.items():
            buffers.take_back(self.storages[key], number)


class Again:
    """The same inputs for every call, where nothing of their values is known."""

    def __init__(self, inputs, buffers):
        self.inputs = inputs
        self.numbers = {buffers.id_of(tensor, 0): position for position, tensor in enumerate(tensors_in(inputs))}


class _Nowhere(io.TextIOBase):
    """What later calls print has been printed."""

    def write(self, text):
        return len(text)


def in_each_call(recorder, model, inputs, output, first, seconds):
    """Whether each of a reference's calls does something else than all before: a count that Python keeps. A table that the first
    one makes is none, nor is a state that each call leaves for the next."""
    given = Again(inputs, recorder.buffers)
    return len(differing(recorder, model, lambda _: given, output, first, seconds, device=recorder.device, chained=True)) > 1


def differing(recorder, model, given_of, output, first, seconds, state=lambda: None, device=None, chained=False):
    """The later calls whose steps are those of no call before. They leave traces in the recorder, whose plan is made by now.

    @param given_of: what a call is Given, by set_of its number  @param output: of the first call
    @param first: where its steps and buffers begin  @param seconds: that it took  @param state: what Python keeps
    @param device: of HostMode  @param chained: calls are alike also if what each has of the call before is (of a reference)
    """
    begin_of_steps, begin = first
    steps = recorder.steps[begin_of_steps:]
    counted = max(12, min(_COUNTED_CALLS, _COUNTED_STEPS // max(1, len(steps))))
    names = _Names(recorder.buffers.entries, begin, given_of(0).numbers)
    seen = [names.call(steps, recorder.encode(output, 0))]
    out, again, number, kept, began = [], 0, 1, None, clocks.monotonic()
    only_one = len(steps) > _MANY_STEPS or (chained and seconds > 2)
    with contextlib.redirect_stdout(_Nowhere()), torch.no_grad(), recorder.mode, HostMode(recorder, device):
        while len(out) < MOST_JUDGED and not (only_one and number > 1):
            number += 1
            # Of what is counted, calls are made beyond those that are alike.
            settled = again >= (_OF_A_REFERENCE if chained else _AT_LEAST) or number > _CALLS
            if settled and (chained or number > counted or kept is None or state() == kept):
                break
            if number > 2 and clocks.monotonic() - began > MANY_SECONDS:
                break
            kept = state() if not chained and (again >= _AT_LEAST - 1 or number >= _CALLS) else None
            given = given_of(set_of(number))
            recorder.steps, recorder.alternative, recorder._count = [], None, 0
            begun = len(recorder.buffers.entries)
            recorder.begin_call()
            clocks.jump()
            by_gradients = not chained and number == WITH_GRADIENTS
            try:
                with gradients(0 if chained else number):
                    answer = recorder.encode(model(*given.inputs), 0)
                ways = [_Names(recorder.buffers.entries, begun, given.numbers, last) for last in ((None, names) if chained else (None,))]
                names = ways[0]
                now = [way.call(recorder.steps, answer) for way in ways] if recorder.failure is None else None
            except BaseException:  # noqa: BLE001  (a trace of that call says what it was)
                now = None
                if by_gradients and recorder.failure is None:
                    continue  # it needs `torch.no_grad()` and says so
            if now is None:
                out.append(number)
                break
            if any(way in seen for way in now):
                again += 1
                continue
            again = 0
            seen += now
            out.append(number)
    return out
