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
    """Something that a plan cannot say. Of a reference it is the judge that lacks something; a candidate has done what it may not:
    `of_candidate` is the reason then."""

    reason = "unsupported_operation"

    def __init__(self, message, line=0, of_candidate="aten_not_allowed"):
        super().__init__(message, line)
        self.of_candidate = of_candidate
