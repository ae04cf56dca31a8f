"""Why a trace ends without a plan. `reason` is a code of docs/reasons.md."""


class TraceError(Exception):
    """An expected outcome about the traced program."""

    reason = "trace_error"

    def __init__(self, message, line=0, reason=None):
        super().__init__(message)
        self.line = line
        if reason is not None:
            self.reason = reason


class HostRead(BaseException):
    """Host code asked for device values. Not an Exception, so that no `except Exception` of the program goes on without them."""

    reason = "host_read"

    def __init__(self, message, line=0):
        super().__init__(message)
        self.line = line


class Unsupported(TraceError):
    """Something that a plan cannot say."""

    reason = "unsupported_operation"
