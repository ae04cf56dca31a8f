"""The plan as it grows: steps, draws, what host code has read."""

import sys

from .. import device as fake
from ..buffers import Buffers
from .drawn import Draws
from ..errors import HostRead, TraceError
from .intact import Watch
from .mode import RecordingMode
from .streams import Streams
from ..values import encode

MOST_STEPS = 90000


class Recorder:
    """One for each trace; not for several threads."""

    def __init__(self, device, filename, configuration=0, seed=0):
        self.device = device
        self.values_read = 0  # how often the host has asked for a tensor's values
        # Which configuration autotuned kernels take whose host code asks for it, and how many there are.
        self.configuration, self.configurations = configuration, 0
        self.benchmarked = {}  # id of a tuner → (the tuner, keys of calls that it has benchmarked)
        self.filename = filename
        self.phase = "init"
        self.steps = []
        self.kernels = []
        self.warnings = []
        self.failure = None
        self.done = False
        self.alternative = None
        # None: the program really executes.
        self.streams = Streams() if device == "cuda" else None
        self.buffers = Buffers(device, self._adopted, self._died)
        self.draws = Draws(self, seed)
        self.mode = RecordingMode(self)
        self.watch = Watch([self, self.buffers, self.mode])
        self._draws = {"inputs": 0, "init": 0, "forward": 0}
        self._count = 0
        self._reads = fake.reads()
        self._readable = {}

    # --- steps

    def line(self):
        """The line of the program's own innermost frame, 0 where it is not on the stack."""
        frame = sys._getframe(1)
        filename = self.filename
        while frame is not None:
            if frame.f_code.co_filename == filename:
                return frame.f_lineno
            frame = frame.f_back
        return 0

    def add(self, step, line):
        step["phase"] = self.phase
        step["line"] = line
        self.steps.append(step)
        self._count += 1
        if self.alternative is None and step["kind"] != "free":
            self.note_stream(step)
        if self._count > MOST_STEPS:
            self.fail(TraceError(f"the program asks for more than {MOST_STEPS} steps", line))

    def note_stream(self, step):
        if self.streams is not None and self.phase == "forward":
            self.streams.note(step)

    def begin_call(self):
        self.phase = "forward"
        if self.streams is not None:
            self.streams.begin()

    def next_draw(self):
        number = self._draws[self.phase]
        self._draws[self.phase] = number + 1
        return number

    def fail(self, error):
        """Ends the trace, also where the program swallows the exception."""
        self.failure = self.failure or error
        raise error

    def host_read(self, what, line=None):
        line = self.line() if line is None else line
        self.fail(HostRead(f"{what} reads device values on the host", line))

    def allow_reads(self, tensor, described, values):
        """The integer input `tensor`, whose values are known, may be read by host code (docs/protocols.md, readable)."""
        number = self.buffers.id_of(tensor, 0)
        self._readable[number] = {"kind": "read", "tensor": described, "values": values}
        self.buffers.origins[number] = frozenset([number])

    def revealed(self, tensor):
        """A tensor's values as far as host code may read them, or None."""
        known = self.buffers.known(tensor)
        return self.buffers.supposed(tensor) if known is None and self.draws.may_be_read(tensor) else known

    def note_reads(self, tensors, line):
        """Records, once each, the inputs that host code reads, and fixes the draws behind them."""
        self.values_read += 1
        self.draws.fix(frozenset().union(*(self.buffers.draws_of(t) for t in tensors)))
        for number in sorted(set().union(*(self.buffers.origins_of(t) for t in tensors))) if self._readable else ():
            step = self._readable.pop(number, None)
            if step is not None:
                self.add(step, line)

    def check_reads(self, what, line):
        """Copies to the host that nobody saw being asked for: what they brought was not there."""
        if fake.reads() != self._reads:
            self.host_read(what, line)

    def warn(self, text):
        if text not in self.warnings:
            self.warnings.append(text)

    def encode(self, value, line):
        return encode(value, lambda tensor: self.buffers.describe(tensor, line))

    def _adopted(self, number, size, line):
        tensor = {"buffer": number, "dtype": "u8", "shape": [size], "stride": [1], "offset": 0}
        self.add({"kind": "aten", "op": "aten::empty.memory_format", "args": [[size]],
                  "kwargs": {"dtype": {"dtype": "u8"}, "device": {"device": self.device}}, "result": {"tensor": tensor}}, line)

    def _died(self, number):
        if self.done:
            return
        if self.alternative is not None and number < self.alternative.first_buffer:
            self.alternative.freed.append(number)
        else:
            self.add({"kind": "free", "buffer": number}, self.line())
