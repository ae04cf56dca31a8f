"""The TTIR interpreter in this process, on this process's memory (native/sanitize.cpp)."""

import ctypes
import json
import pathlib
import time

_FOLDER = pathlib.Path(__file__).absolute().parents[2] / "native"
_TICK = 100  # ms between two looks at the clock


def _library():
    library = ctypes.CDLL(str(_FOLDER / "libsanitize.so"))
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64
    for name, result, arguments in [
            ("leave_low_memory", None, []), ("error", text, []), ("free", None, [pointer]), ("session", pointer, [ctypes.c_int]),
            ("kernel", ctypes.c_int, [pointer, text, text, ctypes.c_int, text]),
            ("memory", pointer, [pointer, number, ctypes.c_int]), ("name", None, [pointer, text]),
            ("written", pointer, [pointer]), ("forget", None, [pointer]), ("start", pointer, [pointer, text]),
            ("wait", ctypes.c_int, [pointer, ctypes.c_int]), ("finished", number, [pointer]),
            ("end", pointer, [pointer, pointer, text]), ("note", ctypes.c_int, [pointer, text]),
            ("count", ctypes.c_int, [pointer, text]), ("log", pointer, [pointer])]:
        function = getattr(library, "tritonsmith_" + name)
        function.restype, function.argtypes = result, arguments
    return library


class Interpreter:
    def __init__(self, colour):
        self._library = _library()
        self._library.tritonsmith_leave_low_memory()
        self._session = self._library.tritonsmith_session(colour)

    def kernel(self, name, file, line, ttir):
        """The kernel's number. @raises RuntimeError where the TTIR is not understood."""
        number = self._library.tritonsmith_kernel(self._session, name.encode(), file.encode(), line, ttir.encode())
        if number < 0:
            raise RuntimeError(self._error())
        return number

    def memory(self, address, size, unwritten):
        """A handle, to be forgotten before the memory is freed."""
        handle = self._library.tritonsmith_memory(address, size, unwritten)
        if not handle:
            raise MemoryError(self._error())
        return handle

    def name(self, handle, name):
        self._library.tritonsmith_name(handle, name.encode())

    def written(self, handle):
        """Address of the bytes that say what has been written; None where all has."""
        return self._library.tritonsmith_written(handle)

    def forget(self, handle):
        if self._library is not None:
            self._library.tritonsmith_forget(handle)

    def close(self):
        """Nothing is asked of it any more: handles that die with the process are left alone."""
        self._library = None

    def launch(self, request, seconds, watch):
        """Runs a launch to its end, or until it has taken that much processor time; logs what is found.
        @param request: src/sanitize/session.h  @param watch: called now and then with the number of programs done.
        @returns {"prints": […], "programs": n}"""
        library, begin = self._library, time.process_time()
        launch = library.tritonsmith_start(self._session, json.dumps(request).encode())
        if not launch:
            raise RuntimeError(self._error())
        why = "interrupted"
        try:
            while not library.tritonsmith_wait(launch, _TICK):
                done = library.tritonsmith_finished(launch)
                if time.process_time() - begin > seconds:
                    count = request["grid"][0] * request["grid"][1] * request["grid"][2]
                    why = f"ended after {seconds:g} s of processor time, with {done} of {count} programs done (--launch-seconds)"
                    break
                watch(done)
            else:
                why = ""
        finally:
            report = self._text(library.tritonsmith_end(self._session, launch, why.encode()))
        return report

    def note(self, **entry):
        """Logs what was found on the host (kind, reason, message, file, line)."""
        self._library.tritonsmith_note(self._session, json.dumps(entry).encode())

    def count(self, kind):
        """How many different ones of "finding", "warning" or "unchecked" there are."""
        return self._library.tritonsmith_count(self._session, kind.encode())

    def log(self):
        return self._text(self._library.tritonsmith_log(self._session))

    def _text(self, pointer):
        if not pointer:
            raise RuntimeError(self._error())
        try:
            return json.loads(ctypes.string_at(pointer))
        finally:
            self._library.tritonsmith_free(pointer)

    def _error(self):
        return self._library.tritonsmith_error().decode(errors="replace")
