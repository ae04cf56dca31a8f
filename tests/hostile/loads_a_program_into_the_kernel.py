# reason: trace_forbidden
import ctypes
import platform

ctypes.CDLL(None).syscall(321 if platform.machine() == "x86_64" else 280, 0, 0, 0)
