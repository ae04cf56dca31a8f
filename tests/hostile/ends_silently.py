# reason: trace_protocol
import os

os._exit(0)
