# reason: trace_forbidden
import ctypes

ctypes.CDLL(None).mount(b"none", b".", b"tmpfs", 0, None)
