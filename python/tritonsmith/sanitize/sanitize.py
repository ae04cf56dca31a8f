"""`tritonsmith sanitize`: python PACKAGE/tritonsmith/sanitize/sanitize.py OPTIONS FILE [ARGS…] runs a script on the CPU as Python would,
with every Triton launch in the checked interpreter (docs/sanitize.md). OPTIONS: {"json": false, "only": [], "most": 0, "seconds": 120}
"""
import json
import os
import sys

if __name__ == "__main__":
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    os.environ.pop("TRITON_INTERPRET", None)  # kernels are to be compiled, as far as TTIR

DONE, FOUND, UNKNOWN = 0, 1, 4


class _Run:
    """The script's process: what it ended with, and what is said at the end."""

    def __init__(self, options):
        self.options, self.process = options, os.getpid()
        self.stdout = os.dup(1)
        if options["json"]:
            os.dup2(2, 1)
        self.script_exit, self.checker, self.finished = 0, None, False
        self._exit, os._exit = os._exit, self.exit

    def exit(self, code):
        """In place of os._exit."""
        if os.getpid() == self.process:
            self.script_exit = code
            for stream in (sys.stdout, sys.stderr):
                _flush(stream)
            code = self.finish()
        self._exit(code)

    def finish(self):
        """Says what was found. @returns the exit code"""
        if self.finished or os.getpid() != self.process:  # a child that the script forked
            return self.script_exit
        self.finished = True
        _flush(sys.stdout)
        log = self.checker.interpreter.log()
        os.write(2, self.summary(log).encode())
        if self.options["json"]:
            answer = {**log, "launches": self.checker.launches, "kernels": len(self.checker.kernels), "script_exit": self.script_exit}
            with os.fdopen(self.stdout, "w") as out:
                out.write(json.dumps(answer) + "\n")
        return FOUND if log["findings"] else UNKNOWN if self.script_exit or log["unchecked"] else DONE

    def summary(self, log):
        checker = self.checker
        parts = [_count(checker.launches, "launch", "launches") + " of " + _count(len(checker.kernels), "kernel"),
                 _count(len(log["findings"]), "finding")]
        if log["warnings"]:
            parts.append(_count(len(log["warnings"]), "warning"))
        if log["unchecked"]:
            parts.append(f"{len(log['unchecked'])} not checked")
        text = "tritonsmith: " + ", ".join(parts)
        if self.script_exit:
            text += f"; the script ended with exit code {self.script_exit}"
        missing = checker.only - {name for name, *_ in checker.kernels}
        for name in sorted(missing):
            text += f"\ntritonsmith: --only {name}: no such kernel was launched"
        return text + "\n"


def _flush(stream):
    try:
        stream.flush()
    except (AttributeError, OSError, ValueError):
        pass  # closed by the script, or nobody reads it


def _count(number, one, many=None):
    return f"{number} {one if number == 1 else many or one + 's'}"


def _as_main(path):
    """Runs the file as Python runs a script: __main__, sys.path[0], sys.argv."""
    import types

    main = types.ModuleType("__main__")
    main.__file__, main.__builtins__, main.__cached__, main.__annotations__ = path, __builtins__, None, {}
    sys.modules["__main__"] = main
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    with open(path, "rb") as file:
        exec(compile(file.read(), path, "exec"), main.__dict__)


def _exit_code(error):
    """What Python would end with, having said what it would say."""
    from tritonsmith.sanitize.checked_launch import Enough

    if isinstance(error, Enough):
        return 0
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return (error.code or 0) & 0xFF
        sys.stderr.write(f"{error.code}\n")
        return 1
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_frame.f_code.co_filename == __file__:
        traceback = traceback.tb_next
    sys.excepthook(type(error), error.with_traceback(traceback), traceback)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _to_its_end(path):
    """The script, and what it leaves for the end: threads, atexit. @returns its exit code"""
    import atexit
    import threading

    code = 0
    try:
        _as_main(path)
    except BaseException as error:  # noqa: BLE001  (SystemExit and KeyboardInterrupt too)
        code = _exit_code(error)
    threading._shutdown()
    atexit._run_exitfuncs()
    return code


def main():
    options, path = json.loads(sys.argv[1]), os.path.abspath(sys.argv[2])
    sys.argv[:] = sys.argv[2:]
    run = _Run(options)
    from tritonsmith.sanitize.interpreter import Interpreter

    interpreter = Interpreter(sys.stderr.isatty())  # before there is much on the heap
    from triton.backends.compiler import GPUTarget

    from tritonsmith import cpu_as_cuda, eager
    from tritonsmith.sanitize.checked_launch import Checker

    run.checker = Checker(interpreter, options["only"], options["most"], options["seconds"])
    eager.keep_dynamo_out()
    eager.ignore_compile(lambda: None)
    run.checker.install(GPUTarget("cuda", 90, 32))
    cpu_as_cuda.install()
    with cpu_as_cuda.active(run.checker.memory):
        run.script_exit = _to_its_end(path)
        code = run.finish()
    interpreter.close()
    sys.exit(code)


if __name__ == "__main__":
    main()
