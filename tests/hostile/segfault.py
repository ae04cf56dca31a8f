# reason: trace_crash
import ctypes

ctypes.string_at(0)
