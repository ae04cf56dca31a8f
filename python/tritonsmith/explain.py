"""Why a program was not traced, for a person and for the judge."""

import traceback

from triton.compiler.errors import CompilationError


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
    if reason == "trace_error" and len(message) > 600:
        # PyTorch lists every backend that has a kernel; the traceback keeps it all.
        message = message.split("\n", 1)[0][:600]
    text = "".join(traceback.format_exception(error, limit=-12))
    return {"reason": reason, "type": type(error).__name__, "message": message[:2000] or type(error).__name__,
            "line": line if isinstance(line, int) else 0, "traceback": text[-8000:]}
