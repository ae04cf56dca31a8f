# reason: trace_forbidden
import os

os.listdir("/")
