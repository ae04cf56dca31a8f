# reason: trace_forbidden
import ctypes
import platform

ctypes.CDLL(None).syscall(56 if platform.machine() == "x86_64" else 220, 17, 0, 0, 0, 0)
