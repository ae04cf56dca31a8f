# reason: trace_error
import sys

sys.exit(0)
