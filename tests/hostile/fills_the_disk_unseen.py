# reason: trace_output
# files that have no name any more take space all the same
import os

kept = []
for i in range(200):
    kept.append(open("file", "wb"))
    os.unlink("file")
    kept[-1].write(b"x" * (48 << 20))
