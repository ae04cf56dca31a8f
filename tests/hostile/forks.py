# reason: trace_forbidden
import os

while True:
    os.fork()
