# reason: trace_forbidden
import os

os.kill(os.getpid(), 9)
