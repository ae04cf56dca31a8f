# reason: trace_forbidden
import ctypes

ctypes.CDLL(None).unshare(0x10000000)
