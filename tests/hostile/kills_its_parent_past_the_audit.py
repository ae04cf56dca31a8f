# reason: trace_forbidden
import ctypes
import os

ctypes.CDLL(None).kill(os.getppid(), 9)
