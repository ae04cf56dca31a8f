# reason: trace_forbidden
import os

os.kill(os.getppid(), 9)
