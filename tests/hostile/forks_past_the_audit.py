# reason: trace_forbidden
import ctypes

ctypes.CDLL(None).fork()
