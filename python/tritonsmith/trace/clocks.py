"""Clocks of the traced program. Between two calls hours pass, and pauses are short: what is kept for a while is found to be kept."""

import datetime
import time

monotonic = time.monotonic  # the tracer's own
_sleep = time.sleep
_HOURS = 7 * 3600
_LONG, _MOMENT = 5.0, 0.02  # seconds
_SECONDS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_passed = 0.0


def jump(seconds=_HOURS):
    global _passed
    _passed += seconds


def _later(read, unit):
    def clock():
        return read() + (int(_passed * unit) if unit > 1 else _passed)

    clock.__name__ = read.__name__
    return clock


_CLOCKS = {name + end: _later(getattr(time, name + end), unit) for name in _SECONDS for end, unit in (("", 1), ("_ns", 10**9))}
_of_the_clock, _of_the_clock_ns = time.clock_gettime, time.clock_gettime_ns


class _Datetime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(seconds=_passed)

    @classmethod
    def utcnow(cls):
        return cls.now(datetime.timezone.utc).replace(tzinfo=None)

    @classmethod
    def today(cls):
        return cls.now()


_Datetime.__name__ = _Datetime.__qualname__ = "datetime"


def _pause(seconds):
    """Of seconds a moment is waited for; who waits longer, or for ever, meets the deadline."""
    moment = seconds if seconds > _LONG else min(seconds, _MOMENT)
    _sleep(moment)
    if seconds > moment:
        jump(seconds - moment)


def install():
    """For programs that are run from here on."""
    for name, clock in _CLOCKS.items():
        setattr(time, name, clock)
    time.clock_gettime = lambda which: _of_the_clock(which) + _passed
    time.clock_gettime_ns = lambda which: _of_the_clock_ns(which) + int(_passed * 10**9)
    time.sleep = _pause
    datetime.datetime = _Datetime
