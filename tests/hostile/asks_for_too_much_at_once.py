# reason: trace_memory
kept = bytearray(1 << 60)
