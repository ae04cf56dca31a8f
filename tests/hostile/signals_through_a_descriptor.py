# reason: trace_forbidden
import fcntl
import os

reading, writing = os.pipe()
fcntl.fcntl(reading, fcntl.F_SETOWN, os.getppid())
