# reason: trace_crash
import os

os.abort()
