# reason: trace_timeout
# seconds: 2
import time

time.sleep(1e6)
