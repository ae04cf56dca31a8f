# reason: trace_forbidden
import ctypes
import os

ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)
