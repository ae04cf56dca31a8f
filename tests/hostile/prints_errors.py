# reason: trace_output
import os

while True:
    os.write(2, b"x" * 100000)
