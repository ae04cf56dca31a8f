"""On which stream each step of a call runs, and behind which steps of other streams: a vector clock for each stream."""

import torch

from .. import device as fake
from ..errors import TraceError

MOST_STREAMS = 256


class Streams:
    """Streams are numbered as they are met; 0 is the one that the call began on, whose first step is the caller's own work.
    A clock is a dictionary: number of a stream → how many of its steps have ended."""

    def __init__(self):
        self.begin()

    def begin(self):
        """A call begins. What its module did before has ended."""
        fake.orders()
        self._numbers, self._count, self._behind = {}, [], []
        self._events, self._host = {}, {}
        self._count[self._current()] = 1

    def _number(self, stream):
        number = self._numbers.setdefault(stream, len(self._numbers))
        if number == len(self._count):
            if number == MOST_STREAMS:
                raise TraceError(f"the program uses more than {MOST_STREAMS} streams")
            self._count.append(0)
            self._behind.append({})
        return number

    def _current(self):
        return self._number(torch._C._cuda_getCurrentRawStream(0))

    def _now(self, number):
        return {**self._behind[number], number: self._count[number]}

    def _take_orders(self):
        for kind, stream, event in fake.orders():
            if kind == fake.RECORD:
                self._events[event] = self._now(self._number(stream))
            elif kind == fake.WAIT:
                _advance(self._behind[self._number(stream)], self._events.get(event, {}))
            elif kind == fake.STREAM_ENDED:
                _advance(self._host, self._now(self._number(stream)))
            elif kind == fake.EVENT_ENDED:
                _advance(self._host, self._events.get(event, {}))
            else:
                _advance(self._host, dict(enumerate(self._count)))

    def _here(self):
        """The current stream, brought up to date."""
        self._take_orders()
        number = self._current()
        _advance(self._behind[number], self._host)
        return number

    def note(self, step):
        """A step that is now asked for."""
        number = self._here()
        self._count[number] += 1
        if len(self._count) > 1:
            step["stream"], step["behind"] = number, self._list(self._behind[number])

    def end(self):
        """What the caller finds ended on its stream when the call returns; empty where there is only one stream."""
        number = self._here()
        return self._list(self._now(number)) if len(self._count) > 1 else []

    def _list(self, clock):
        return [clock.get(i, 0) for i in range(len(self._count))]


def _advance(clock, other):
    for number, count in other.items():
        clock[number] = max(clock.get(number, 0), count)
