# reason: trace_memory
import mmap

kept = []
while True:
    kept.append(mmap.mmap(-1, 64 << 20))
    kept[-1].write(b"x" * (64 << 20))
