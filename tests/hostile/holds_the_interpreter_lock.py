# reason: trace_timeout
# seconds: 2
import ctypes

ctypes.PyDLL(None).pause()
