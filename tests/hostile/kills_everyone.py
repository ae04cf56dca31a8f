# reason: trace_forbidden
import os

os.kill(-1, 9)
