"""Why a program was not traced, for a person and for the judge."""

import re
import sys
import traceback

from triton.compiler.errors import CompilationError

# Libraries say in words of their own what the program has done, and what it has done is the reason.
_WORDS = (
    (re.compile(r"\b(CUBLAS|CUDNN|CUSOLVER|CUSPARSE)_STATUS_\w+|\bCUFFT_\w+|\bNCCL Error\b|\bNVRTC_ERROR_\w+"), "host_compute",
     "a library of NVIDIA's is called from the host code"),
    (re.compile(r"libcuda\.so[.\d]*: undefined symbol|libfakecudart\.so: undefined symbol"), "trace_forbidden",
     "the host code calls the CUDA driver itself"),
    (re.compile(r"Permission denied|Operation not permitted"), "trace_forbidden", "the sandbox refuses what the host code asks for"),
)


def explain(error, program):
    """The error of docs/protocols.md. @param program: None where the text itself could not be read."""
    reason, message = getattr(error, "reason", "trace_error"), str(error)
    line = getattr(error, "line", 0) or (program.line_of(error) if program else 0)
    if isinstance(error, CompilationError):
        reason = "compile_error"
        line = getattr(error, "tritonsmith_line", 0) or line
        cause = error
        while isinstance(cause.__cause__, CompilationError):
            cause = cause.__cause__
        message = cause.error_message or str(cause.__cause__ or cause)
    elif isinstance(error, SyntaxError) and program is None:
        reason, message, line = "syntax_error", error.msg, error.lineno or 0
    elif isinstance(error, MemoryError):
        reason, message = "trace_memory", message or "out of host memory"
    elif isinstance(error, SystemExit):
        message = f"the program ends itself with sys.exit({error.code!r})"
    if not isinstance(reason, str):
        # An exception of the program's own may have any attribute `reason`.
        reason = "trace_error"
    if reason == "trace_error":
        if len(message) > 600:
            # PyTorch lists every backend that has a kernel; the traceback keeps it all.
            message = message.split("\n", 1)[0][:600]
        reason, message = _cause(error, message, program, line)
    text = "".join(traceback.format_exception(error, limit=-12))
    return {"reason": reason, "type": type(error).__name__, "message": message[:2000] or type(error).__name__,
            "line": line if isinstance(line, int) else 0, "traceback": text[-8000:]}


def _cause(error, message, program, line):
    """Reason and message of an exception: what the program did, where a library's words hide it."""
    sandbox = sys.modules.get("tritonsmith.sandbox")
    event = sandbox.refused_at(program.filename, line) if sandbox and program else None
    if event is not None and not isinstance(error, PermissionError):
        return "trace_forbidden", f"a traced program must not do this: {event} ({message})"
    if isinstance(error, (RuntimeError, OSError, AttributeError)) and not isinstance(error, PermissionError):
        for words, reason, what in _WORDS:
            if words.search(message):
                return reason, f"{what}: {message}"
    return "trace_error", message
