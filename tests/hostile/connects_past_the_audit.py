# reason: trace_forbidden
import ctypes

ctypes.CDLL(None).socket(2, 1, 0)
