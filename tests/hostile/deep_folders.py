# reason: trace_output
import os

while True:
    os.mkdir("a")
    os.chdir("a")
