# reason: trace_memory
kept = []
while True:
    kept.append(bytearray(b"x") * (64 << 20))
