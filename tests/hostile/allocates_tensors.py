# reason: trace_memory
import numpy

kept = []
while True:
    kept.append(numpy.ones(8 << 20))
