# reason: trace_forbidden
import os

open(f"/proc/{os.getppid()}/mem", "rb")
